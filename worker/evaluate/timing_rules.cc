#include "worker/evaluate/timing_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

// A GPU's clock and the host's differ by a little.
constexpr double kClockDifference = 0.02;
constexpr int64_t kClockStepNs = 20'000;

// Less is a timer's own doing.
constexpr int64_t kOutsideNs = 500;

// Beyond what the device needed after calls that did nothing. A time slice
// that another process has left takes milliseconds.
constexpr absl::Duration kBusy = absl::Microseconds(100);
constexpr int kBusyFactor = 3;

// More work after the clock has stopped: CUPTI's records, of which there may
// be one for every microsecond.
constexpr double kShareWithRecords = 0.25;
// A copy on a machine that others use.
constexpr double kSlowCopyFactor = 4;
// Of the time that it takes to copy inputs and outputs, that a call waits for
// them longer where others have gone before. Honest ones with 0.25 MiB of
// either took 8 to 22 us longer, one that reads 0.5 MiB up to 33, and 2 MiB
// 110.
constexpr double kShareWaitedFor = 0.5;

bool AreMost(size_t count, const std::vector<TimedCall>& calls) {
  return 2 * count > calls.size();
}

std::optional<BrokenRule> JudgeWorkOutside(const std::vector<TimedCall>& half) {
  const auto has_some = [](const TimedCall& call) {
    return call.outside_ns > kOutsideNs;
  };
  const auto count =
      static_cast<size_t>(std::count_if(half.begin(), half.end(), has_some));
  if (!AreMost(count, half)) return std::nullopt;
  const TimedCall& worst = *std::max_element(
      half.begin(), half.end(), [](const TimedCall& a, const TimedCall& b) {
        return a.outside_ns < b.outside_ns;
      });
  return BrokenRule{
      "work_outside_call",
      absl::StrCat("the device worked for the solution outside of ", count,
                   " of its ", half.size(), " fastest calls, for up to ",
                   absl::FormatDuration(absl::Nanoseconds(worst.outside_ns)),
                   ": what a call does has to begin and end within it")};
}

std::optional<BrokenRule> JudgeBusyDevice(const std::vector<TimedCall>& half,
                                          absl::Duration usual) {
  const absl::Duration limit = kBusyFactor * usual + kBusy;
  const auto is_busy = [&](const TimedCall& call) {
    return call.time_to_idle > limit;
  };
  const auto count =
      static_cast<size_t>(std::count_if(half.begin(), half.end(), is_busy));
  if (!AreMost(count, half)) return std::nullopt;
  return BrokenRule{
      "device_busy_after_call",
      absl::StrCat(
          "the device was still at work after ", count, " of the ", half.size(),
          " fastest calls: it took more than ", absl::FormatDuration(limit),
          " to answer, and usually takes ", absl::FormatDuration(usual))};
}

std::optional<BrokenRule> JudgeFloor(const std::vector<TimedCall>& half,
                                     absl::Duration floor) {
  // The slowest of the faster half: the median, or the one below.
  const absl::Duration latency = absl::Nanoseconds(half.back().call_ns);
  if (latency >= floor) return std::nullopt;
  return BrokenRule{
      "below_floor",
      absl::StrCat("calls of ", absl::FormatDuration(latency),
                   " are claimed, and no call that writes the outputs takes "
                   "less than ",
                   absl::FormatDuration(floor))};
}

absl::Duration FloorOf(const std::vector<TimedCall>& pings,
                       const TimingLimits& limits) {
  if (!limits.pings_are_floor || pings.empty()) return limits.floor;
  int64_t least_ns = std::numeric_limits<int64_t>::max();
  for (const TimedCall& ping : pings) {
    least_ns = std::min(least_ns, ping.host_ns);
  }
  return std::max(limits.floor, absl::Nanoseconds(least_ns));
}

}  // namespace

TimingLimits LimitsFor(const Device& device, const ResolvedCase& sizes,
                       bool returns_outputs) {
  const MemorySpeed speed = device.memory_speed();
  const bool by_host = device.description().timer() == v1::HOST_CLOCK;
  const auto bytes = static_cast<double>(sizes.output_bytes);
  TimingLimits limits;
  if (!by_host) limits.allowance.share = kShareWithRecords;
  if (returns_outputs) {
    limits.allowance.fixed =
        absl::Seconds(kSlowCopyFactor * bytes / speed.copy);
  } else {
    limits.floor = absl::Seconds(bytes / speed.ceiling);
  }
  double moved = bytes;
  for (const ResolvedTensor& input : sizes.inputs) {
    moved += static_cast<double>(input.bytes);
  }
  limits.allowance.memory = absl::Seconds(kShareWaitedFor * moved / speed.copy);
  if (by_host && sizes.output_bytes > 0) {
    limits.floor = std::max(limits.floor, absl::Nanoseconds(1));
    limits.pings_are_floor = true;
  }
  return limits;
}

std::optional<BrokenRule> JudgeClaims(const TimedCall& call, bool by_host) {
  const absl::Duration claimed =
      absl::Nanoseconds(std::max(call.call_ns, call.host_ns));
  if (claimed > call.elapsed) {
    return BrokenRule{
        "impossible_times",
        absl::StrCat("the runner claims a call of ",
                     absl::FormatDuration(claimed), ", and had no more than ",
                     absl::FormatDuration(call.elapsed))};
  }
  if (by_host && call.call_ns != call.host_ns) {
    return BrokenRule{
        "impossible_times",
        absl::StrCat(
            "one clock times calls here, and the runner claims both ",
            absl::FormatDuration(absl::Nanoseconds(call.call_ns)), " and ",
            absl::FormatDuration(absl::Nanoseconds(call.host_ns)), " for one")};
  }
  const double most =
      static_cast<double>(call.host_ns) * (1 + kClockDifference) + kClockStepNs;
  if (static_cast<double>(call.call_ns) <= most) return std::nullopt;
  return BrokenRule{
      "impossible_times",
      absl::StrCat("the runner claims that the device worked for ",
                   absl::FormatDuration(absl::Nanoseconds(call.call_ns)),
                   " in a call of ",
                   absl::FormatDuration(absl::Nanoseconds(call.host_ns)))};
}

std::optional<BrokenRule> JudgeTimes(const std::vector<TimedCall>& calls,
                                     const std::vector<TimedCall>& pings,
                                     const TimingLimits& limits) {
  if (calls.empty()) return std::nullopt;
  const CallOverhead overhead = OverheadOf(pings);
  const std::vector<TimedCall> half = FasterHalf(calls);
  if (auto broken = JudgeWorkOutside(half)) return broken;
  if (auto broken = JudgeBusyDevice(half, overhead.time_to_idle)) {
    return broken;
  }
  if (auto broken = JudgeFloor(half, FloorOf(pings, limits))) return broken;
  return JudgeOutsideClock(calls, overhead, limits.allowance);
}

}  // namespace assay
