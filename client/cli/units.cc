#include "client/cli/units.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace assay {
namespace {

// Three significant digits, without an exponent.
std::string ThreeDigits(double value) {
  if (value >= 99.95) return absl::StrFormat("%.0f", value);
  if (value >= 9.995) return absl::StrFormat("%.1f", value);
  if (value >= 0.9995) return absl::StrFormat("%.2f", value);
  if (value >= 0.09995) return absl::StrFormat("%.3f", value);
  if (value >= 0.009995) return absl::StrFormat("%.4f", value);
  return absl::StrFormat("%.5f", value);
}

}  // namespace

std::string FormatLatency(double milliseconds) {
  if (!std::isfinite(milliseconds) || milliseconds <= 0) return "-";
  return absl::StrCat(ThreeDigits(milliseconds), " ms");
}

std::string FormatSpeedup(double factor) {
  if (!std::isfinite(factor) || factor <= 0) return "-";
  if (factor < 0.0995) return absl::StrFormat("%.2gx", factor);
  if (factor < 0.9995) return absl::StrFormat("%.2fx", factor);
  return absl::StrCat(ThreeDigits(factor), "x");
}

std::string FormatError(double error) {
  if (std::isnan(error)) return "nan";
  if (std::isinf(error)) return error > 0 ? "inf" : "-inf";
  if (error == 0) return "0";
  return absl::StrFormat("%.1e", error);
}

std::string FormatShare(double share) {
  if (std::isnan(share)) return "nan";
  if (share >= 1) return "100%";
  if (share <= 0) return "0%";
  // What is nearly all must not look like all, nor nearly nothing like nothing.
  return absl::StrFormat("%.2f%%",
                         std::min(99.99, std::max(0.01, 100 * share)));
}

std::string FormatBytes(int64_t bytes) {
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  double value = static_cast<double>(bytes);
  for (const char* unit : {"KiB", "MiB", "GiB"}) {
    value /= 1024;
    if (value < 1024) return absl::StrFormat("%.1f %s", value, unit);
  }
  return absl::StrFormat("%.1f TiB", value / 1024);
}

std::string FormatElapsed(absl::Duration duration) {
  const double seconds = absl::ToDoubleSeconds(duration);
  if (seconds < 9.995) return absl::StrFormat("%.2f s", seconds);
  if (seconds < 99.95) return absl::StrFormat("%.1f s", seconds);
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  return absl::StrFormat("%d min %d s", whole / 60, whole % 60);
}

std::string FormatTime(int64_t microseconds_since_epoch) {
  if (microseconds_since_epoch == 0) return "-";
  return absl::FormatTime("%Y-%m-%d %H:%M:%S",
                          absl::FromUnixMicros(microseconds_since_epoch),
                          absl::UTCTimeZone());
}

absl::StatusOr<absl::Duration> ParseDuration(absl::string_view text) {
  double seconds = 0;
  absl::Duration duration;
  const bool plain = absl::SimpleAtod(text, &seconds);
  if (plain) duration = absl::Seconds(seconds);
  if ((!plain && !absl::ParseDuration(text, &duration)) ||
      !(duration > absl::ZeroDuration()) ||
      duration == absl::InfiniteDuration()) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", text,
                     "\" is not a duration; write seconds, or a number with "
                     "a unit such as 500ms, 30s or 5m"));
  }
  return duration;
}

}  // namespace assay
