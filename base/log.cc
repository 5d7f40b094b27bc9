#include "base/log.h"

#include <unistd.h>

#include <atomic>

#include "absl/strings/escaping.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace assay {
namespace {

std::atomic<LogSeverity> threshold{LogSeverity::kInfo};

char Letter(LogSeverity severity) {
  switch (severity) {
    case LogSeverity::kDebug:
      return 'D';
    case LogSeverity::kInfo:
      return 'I';
    case LogSeverity::kWarning:
      return 'W';
    case LogSeverity::kError:
      return 'E';
  }
  return '?';
}

// Quoted and escaped where a plain value would not parse back.
std::string FormatValue(absl::string_view value) {
  bool plain = !value.empty();
  for (const char c : value) {
    if (c <= ' ' || c == '"' || c == '=' || c == '\x7f') plain = false;
  }
  if (plain) return std::string(value);
  return absl::StrCat("\"", absl::CEscape(value), "\"");
}

}  // namespace

void SetLogThreshold(LogSeverity severity) { threshold = severity; }

void Log(LogSeverity severity, absl::string_view event,
         std::initializer_list<LogField> fields) {
  if (severity < threshold) return;
  std::string line =
      absl::StrCat(absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", absl::Now(),
                                    absl::UTCTimeZone()),
                   " ", std::string(1, Letter(severity)), " ", event);
  for (const LogField& field : fields) {
    absl::StrAppend(&line, " ", field.key, "=", FormatValue(field.value));
  }
  line.push_back('\n');
  // One write per line: lines of several processes on one terminal stay whole.
  const ssize_t ignored = write(STDERR_FILENO, line.data(), line.size());
  static_cast<void>(ignored);
}

}  // namespace assay
