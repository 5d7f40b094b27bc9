// Numbers with their units, read and written.

#ifndef ASSAY_CLIENT_CLI_UNITS_H_
#define ASSAY_CLIENT_CLI_UNITS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace assay {

// Three digits and always milliseconds, so that a column can be compared:
// "0.00412 ms", "0.412 ms", "12.3 ms", "4120 ms".
std::string FormatLatency(double milliseconds);

// "12.3x", "0.98x", "1234x"; "-" when there is none.
std::string FormatSpeedup(double factor);

// "2.1e-03", "0", "inf", "nan".
std::string FormatError(double error);

// "100%", "99.98%", "0%": a share of 0 to 1, never rounded to all or nothing.
std::string FormatShare(double share);

// "512 B", "1.5 KiB", "2.0 GiB".
std::string FormatBytes(int64_t bytes);

// "0.42 s", "12.3 s", "2 min 5 s".
std::string FormatElapsed(absl::Duration duration);

// UTC, to the second: "2026-01-31 12:00:00".
std::string FormatTime(int64_t microseconds_since_epoch);

// "30" and "30s" are 30 seconds; also "500ms", "5m", "1h30m". INVALID_ARGUMENT
// when it is something else or not above 0.
absl::StatusOr<absl::Duration> ParseDuration(absl::string_view text);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_UNITS_H_
