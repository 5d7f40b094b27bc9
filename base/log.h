// Structured log lines on standard error, one per event:
//
//   2026-01-31T12:00:00.123456Z I lease acquired lease=lea-1 jobs=4
//
//   LogInfo("lease acquired", {{"lease", lease.id()}, {"jobs", 4}});
//
// Thread-safe. Never log secrets or sources.

#ifndef ASSAY_BASE_LOG_H_
#define ASSAY_BASE_LOG_H_

#include <initializer_list>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace assay {

enum class LogSeverity { kDebug, kInfo, kWarning, kError };

// One `key=value` of a line.
struct LogField {
  LogField(absl::string_view key, const absl::AlphaNum& value)
      : key(key), value(value.Piece()) {}
  absl::string_view key;
  std::string value;
};

// Lines below `severity` are dropped from now on. Default: kInfo.
void SetLogThreshold(LogSeverity severity);

void Log(LogSeverity severity, absl::string_view event,
         std::initializer_list<LogField> fields);

inline void LogDebug(absl::string_view event,
                     std::initializer_list<LogField> fields = {}) {
  Log(LogSeverity::kDebug, event, fields);
}
inline void LogInfo(absl::string_view event,
                    std::initializer_list<LogField> fields = {}) {
  Log(LogSeverity::kInfo, event, fields);
}
inline void LogWarning(absl::string_view event,
                       std::initializer_list<LogField> fields = {}) {
  Log(LogSeverity::kWarning, event, fields);
}
inline void LogError(absl::string_view event,
                     std::initializer_list<LogField> fields = {}) {
  Log(LogSeverity::kError, event, fields);
}

}  // namespace assay

#endif  // ASSAY_BASE_LOG_H_
