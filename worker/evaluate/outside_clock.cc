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

absl::Duration Unclaimed(const TimedCall& call) {
  return call.elapsed - absl::Nanoseconds(call.host_ns);
}

}  // namespace

CallOverhead OverheadOf(const std::vector<TimedCall>& calls) {
  CallOverhead overhead;
  if (calls.empty()) return overhead;
  overhead.least = absl::InfiniteDuration();
  std::vector<absl::Duration> idle;
  for (const TimedCall& call : calls) {
    overhead.least = std::min(overhead.least, Unclaimed(call));
    idle.push_back(call.time_to_idle);
  }
  overhead.time_to_idle = Median(idle);
  return overhead;
}

std::optional<BrokenRule> JudgeOutsideClock(const std::vector<TimedCall>& calls,
                                            const CallOverhead& overhead,
                                            const OutsideAllowance& allowance) {
  absl::Duration least = absl::InfiniteDuration();
  std::vector<absl::Duration> claims;
  for (const TimedCall& call : FasterHalf(calls)) {
    least = std::min(least, Unclaimed(call) - overhead.least);
    claims.push_back(absl::Nanoseconds(call.host_ns));
  }
  if (claims.empty()) return std::nullopt;
  const absl::Duration claimed = Median(claims);
  const absl::Duration allowed =
      std::max(kAlwaysAllowed, allowance.share * claimed) + allowance.fixed;
  if (least <= allowed) return std::nullopt;
  return BrokenRule{
      kTimeUnaccounted,
      absl::StrCat("by the worker's clock no call took less than ",
                   absl::FormatDuration(least),
                   " longer than its process claims (",
                   absl::FormatDuration(claimed), "), beyond the ",
                   absl::FormatDuration(overhead.least),
                   " of a call that does nothing; ",
                   absl::FormatDuration(allowed), " are allowed")};
}

}  // namespace assay
