#include "worker/evaluate/pause_rules.h"

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace assay {
namespace {

// Once or twice may be the kernel's doing.
constexpr int64_t kFewestPauses = 3;

}  // namespace

std::optional<v1::Finding> JudgePauses(const PauseRecord& record) {
  v1::Finding finding;
  finding.set_rule(kRanBetweenCalls);
  finding.set_effect(v1::Finding::NOTE);
  if (record.broken > 0) {
    finding.set_evidence(absl::StrCat(
        "the solution's process used ", absl::FormatDuration(record.cpu_time),
        " of processor time while it was stopped between calls, in ",
        record.broken, " of ", record.pauses, " pauses"));
    if (record.broken >= kFewestPauses) {
      finding.set_effect(v1::Finding::HOLD);
    }
    return finding;
  }
  if (record.cpu_time_of_others > absl::ZeroDuration()) {
    finding.set_evidence(absl::StrCat(
        "processes that the solution had started used ",
        absl::FormatDuration(record.cpu_time_of_others),
        " of processor time before its first call, while it was stopped"));
    return finding;
  }
  return std::nullopt;
}

}  // namespace assay
