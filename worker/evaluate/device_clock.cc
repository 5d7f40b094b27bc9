#include "worker/evaluate/device_clock.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "worker/evaluate/statistics.h"

namespace assay {
namespace {

// Of what is claimed, for a GPU that goes back and forth in the midst of a call
// that outlasts its turn.
constexpr double kShare = 0.25;
constexpr absl::Duration kAlwaysAllowed = absl::Microseconds(8);
// A turn is measured to within that much.
constexpr absl::Duration kPerTurn = absl::Microseconds(4);

// What the turns were longer than if nothing had been done in them. A shorter
// one was cut short by the beginning of the watch, or none at all: a pause of
// the thread that watches.
absl::Duration Work(const TimedCall& call, absl::Duration change) {
  absl::Duration work;
  for (const absl::Duration turn : call.turns) {
    work += std::max(turn - change, absl::ZeroDuration());
  }
  return work;
}

// The last turn around a call that does nothing: a word was written.
std::optional<absl::Duration> CostOfChange(
    const std::vector<TimedCall>& pings) {
  std::vector<absl::Duration> costs;
  for (const TimedCall& ping : pings) {
    if (!ping.turns.empty()) costs.push_back(ping.turns.back());
  }
  if (costs.empty()) return std::nullopt;
  return Median(std::move(costs));
}

}  // namespace

std::vector<absl::Duration> DeviceTimes(const std::vector<TimedCall>& calls,
                                        const std::vector<TimedCall>& pings) {
  const std::optional<absl::Duration> change = CostOfChange(pings);
  if (!change.has_value()) return {};
  std::vector<absl::Duration> works;
  for (const TimedCall& ping : pings) works.push_back(Work(ping, *change));
  const absl::Duration around = Median(std::move(works));
  std::vector<absl::Duration> times;
  for (const TimedCall& call : calls) {
    times.push_back(
        std::max(Work(call, *change) - around, absl::ZeroDuration()));
  }
  return times;
}

std::optional<BrokenRule> JudgeDeviceClock(const std::vector<TimedCall>& calls,
                                           const std::vector<TimedCall>& pings,
                                           absl::Duration claimed,
                                           absl::Duration fixed) {
  const std::vector<absl::Duration> times = DeviceTimes(calls, pings);
  if (times.empty()) return std::nullopt;
  absl::Duration least = absl::InfiniteDuration();
  absl::Duration most_allowed;
  for (size_t i = 0; i < times.size(); ++i) {
    const absl::Duration allowed =
        (1 + kShare) * claimed + kAlwaysAllowed +
        static_cast<double>(calls[i].turns.size()) * kPerTurn + fixed;
    if (times[i] <= allowed) return std::nullopt;
    least = std::min(least, times[i]);
    most_allowed = std::max(most_allowed, allowed);
  }
  return BrokenRule{
      kDeviceTimeUnaccounted,
      absl::StrCat("while the worker watched, the device was at work for ",
                   absl::FormatDuration(least),
                   " or longer in each call; the solution's process claims ",
                   absl::FormatDuration(claimed), ", and up to ",
                   absl::FormatDuration(most_allowed), " would do")};
}

}  // namespace assay
