#include "worker/runner/call_spans.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

absl::Status CheckTimes(const std::vector<DeviceActivity>& activities) {
  for (const DeviceActivity& activity : activities) {
    if (activity.start_ns > 0 && activity.start_ns <= activity.end_ns) continue;
    if (activity.end_ns == 0) {
      return absl::FailedPreconditionError(
          "work that a call gave the GPU was still running after the call had "
          "returned and the GPU was synchronized; let it end within the call, "
          "in the context that the call was made in");
    }
    return absl::InternalError(
        absl::StrCat("CUPTI recorded no time of the GPU's work (from ",
                     activity.start_ns, " to ", activity.end_ns, " ns)"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> SpansOfCalls(
    std::vector<DeviceActivity> activities, CuptiStream markers, size_t calls) {
  ASSAY_RETURN_IF_ERROR(CheckTimes(activities));
  std::sort(activities.begin(), activities.end(),
            [](const DeviceActivity& a, const DeviceActivity& b) {
              return a.start_ns < b.start_ns;
            });
  std::vector<int64_t> spans(calls, 0);
  size_t markers_seen = 0;
  // Of the call whose first marker was the last one.
  int64_t first_start_ns = 0;
  int64_t last_end_ns = 0;
  for (const DeviceActivity& activity : activities) {
    const bool in_call = markers_seen % 2 == 1;
    if (activity.stream == markers) {
      const size_t call = markers_seen++ / 2;
      if (in_call && call < calls) spans[call] = last_end_ns - first_start_ns;
      first_start_ns = last_end_ns = 0;
    } else if (in_call) {
      if (first_start_ns == 0) first_start_ns = activity.start_ns;
      last_end_ns = std::max(last_end_ns, activity.end_ns);
    }
  }
  if (markers_seen == 2 * calls) return spans;
  return absl::InternalError(absl::StrCat("CUPTI recorded ", markers_seen,
                                          " markers around ", calls,
                                          " calls, not ", 2 * calls));
}

}  // namespace assay
