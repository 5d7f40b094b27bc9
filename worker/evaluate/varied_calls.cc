#include "worker/evaluate/varied_calls.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/random_id.h"

namespace assay {
namespace {

// Data decides a little about times: a GPU clocks higher on values that are all
// alike, and branches are foretold.
constexpr double kFactor = 1.3;
// Less is noise of the shortest calls.
constexpr double kSlackNs = 5'000;
// With fewer nothing can be said.
constexpr size_t kFewest = 4;

struct Quartiles {
  double low = 0;
  double median = 0;
  double high = 0;
};

Quartiles QuartilesOf(const std::vector<TimedCall>& calls) {
  std::vector<int64_t> times;
  times.reserve(calls.size());
  for (const TimedCall& call : calls) times.push_back(call.call_ns);
  std::sort(times.begin(), times.end());
  const auto at = [&](size_t quarter) {
    return static_cast<double>(times[(times.size() - 1) * quarter / 4]);
  };
  return {at(1), at(2), at(3)};
}

std::string Format(double ns) {
  return absl::FormatDuration(absl::Nanoseconds(static_cast<int64_t>(ns)));
}

}  // namespace

std::optional<BrokenRule> JudgeVariedOutcome(const VariedOutcome& outcome) {
  if (outcome.wrong == 0) return std::nullopt;
  return BrokenRule{
      kStoredAnswers,
      absl::StrCat("right on the stored inputs, and wrong in ", outcome.wrong,
                   " of ", outcome.made,
                   " calls on values near those: ", outcome.first_difference)};
}

std::optional<BrokenRule> JudgeVariedTimes(
    const std::vector<TimedCall>& stored,
    const std::vector<TimedCall>& varied) {
  if (std::min(stored.size(), varied.size()) < kFewest) return std::nullopt;
  const Quartiles known = QuartilesOf(stored);
  const Quartiles near = QuartilesOf(varied);
  if (near.median <= kFactor * known.median + kSlackNs ||
      near.low <= known.high) {
    return std::nullopt;
  }
  return BrokenRule{
      kFasterOnStoredInputs,
      absl::StrCat("calls on the stored inputs take ", Format(known.median),
                   ", and calls on values near those ", Format(near.median),
                   " (medians of ", stored.size(), " and ", varied.size(),
                   "): are answers stored?")};
}

std::vector<bool> MixedOrder(int count) {
  std::vector<bool> order(2 * static_cast<size_t>(count));
  std::fill(order.begin() + count, order.end(), true);
  for (size_t i = order.size(); i > 1; --i) {
    const size_t other = RandomBits128()[0] % i;
    const bool moved = order[other];
    order[other] = order[i - 1];
    order[i - 1] = moved;
  }
  return order;
}

}  // namespace assay
