#include "worker/runner/call_spans.h"

#include <algorithm>
#include <utility>

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

// Goes through activities in the order of their starts.
class SpanReader {
 public:
  SpanReader(size_t calls, bool copies_follow)
      : spans_(calls), copies_follow_(copies_follow) {}

  void Mark(const DeviceActivity& marker) {
    const size_t call = markers_seen_ / 2;
    if (is_open() && call < spans_.size()) {
      spans_[call].span_ns = last_end_ns_ - first_start_ns_;
    }
    first_start_ns_ = last_end_ns_ = 0;
    opened_ns_ = marker.end_ns;
    ++markers_seen_;
  }

  void Add(const DeviceActivity& activity) {
    // What runs beside the first marker was there before the call was made.
    if (is_open() && activity.start_ns >= opened_ns_) {
      if (first_start_ns_ == 0) first_start_ns_ = activity.start_ns;
      last_end_ns_ = std::max(last_end_ns_, activity.end_ns);
    } else if (!IsCopy() && !spans_.empty()) {
      const size_t call = std::min(markers_seen_ / 2, spans_.size() - 1);
      spans_[call].outside_ns += activity.end_ns - activity.start_ns;
    }
  }

  size_t markers_seen() const { return markers_seen_; }
  std::vector<CallSpan> TakeSpans() { return std::move(spans_); }

 private:
  // Whether the last marker was one before a call.
  bool is_open() const { return markers_seen_ % 2 == 1; }
  bool IsCopy() const {
    return copies_follow_ && markers_seen_ > 0 && !is_open();
  }

  std::vector<CallSpan> spans_;
  const bool copies_follow_;
  size_t markers_seen_ = 0;
  // Of the call whose first marker was the last one.
  int64_t opened_ns_ = 0;
  int64_t first_start_ns_ = 0;
  int64_t last_end_ns_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<CallSpan>> SpansOfCalls(
    std::vector<DeviceActivity> activities, CuptiStream markers, size_t calls,
    bool copies_follow) {
  ASSAY_RETURN_IF_ERROR(CheckTimes(activities));
  std::sort(activities.begin(), activities.end(),
            [](const DeviceActivity& a, const DeviceActivity& b) {
              return a.start_ns < b.start_ns;
            });
  SpanReader reader(calls, copies_follow);
  for (const DeviceActivity& activity : activities) {
    if (activity.stream == markers) {
      reader.Mark(activity);
    } else {
      reader.Add(activity);
    }
  }
  if (reader.markers_seen() == 2 * calls) return reader.TakeSpans();
  return absl::InternalError(
      absl::StrCat("CUPTI recorded ", reader.markers_seen(), " markers around ",
                   calls, " calls, not ", 2 * calls));
}

}  // namespace assay
