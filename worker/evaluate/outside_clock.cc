#include "worker/evaluate/outside_clock.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "worker/evaluate/statistics.h"

namespace assay {
namespace {

// Waking up a process that was frozen, with little of it left in the caches,
// costs up to this much more than asking one that waits: 0.02 ms mostly, 0.15
// in one evaluation of a hundred.
constexpr absl::Duration kAlwaysAllowed = absl::Microseconds(250);
constexpr int kSpreads = 6;
// A machine that was busy while the overhead was taken is no licence.
constexpr absl::Duration kMostForSpread = absl::Milliseconds(2);

absl::Duration Unclaimed(const TimedCall& call) {
  return call.elapsed - absl::Nanoseconds(call.host_ns);
}

}  // namespace

CallOverhead OverheadOf(const std::vector<TimedCall>& calls) {
  std::vector<absl::Duration> unclaimed;
  std::vector<absl::Duration> idle;
  for (const TimedCall& call : calls) {
    unclaimed.push_back(Unclaimed(call));
    idle.push_back(call.time_to_idle);
  }
  CallOverhead overhead;
  overhead.typical = Median(unclaimed);
  overhead.time_to_idle = Median(idle);
  for (absl::Duration& duration : unclaimed) {
    duration = absl::AbsDuration(duration - overhead.typical);
  }
  overhead.spread = Median(unclaimed);
  return overhead;
}

std::optional<BrokenRule> JudgeOutsideClock(const std::vector<TimedCall>& calls,
                                            const CallOverhead& overhead,
                                            const OutsideAllowance& allowance) {
  absl::Duration least = absl::InfiniteDuration();
  std::vector<absl::Duration> claims;
  for (const TimedCall& call : FasterHalf(calls)) {
    least = std::min(least, Unclaimed(call) - overhead.typical);
    claims.push_back(absl::Nanoseconds(call.host_ns));
  }
  if (claims.empty()) return std::nullopt;
  const absl::Duration claimed = Median(claims);
  const absl::Duration allowed =
      std::max({kAlwaysAllowed, allowance.share * claimed,
                std::min(kSpreads * overhead.spread, kMostForSpread)}) +
      allowance.fixed;
  if (least <= allowed) return std::nullopt;
  return BrokenRule{
      kTimeUnaccounted,
      absl::StrCat("by the worker's clock no call took less than ",
                   absl::FormatDuration(least),
                   " longer than its process claims (",
                   absl::FormatDuration(claimed), "), beyond the ",
                   absl::FormatDuration(overhead.typical),
                   " of a call that does nothing; ",
                   absl::FormatDuration(allowed), " are allowed")};
}

}  // namespace assay
