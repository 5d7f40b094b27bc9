#include "worker/evaluate/batch_clock.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

// Of honest compiled solutions on a quiet machine, the first batch took 0.95 to
// 1.5 of the claim, the more the more they move, which is allowed for besides;
// of Python ones, which singly find cold caches, from 0.3 on. With four times
// as much to run as there are processors, one of five batches took as little.
constexpr absl::Duration kAllowedPerRequest = absl::Microseconds(250);
constexpr double kAllowedShare = 0.25;
// Tensors may be larger than what a call touches of them.
constexpr double kMostForMemory = 0.5;

// Calls of a batch are said to take this long together: the share of it that is
// allowed is what is allowed for the request, and a scheduler lets a process
// that was idle have a processor for about as long.
constexpr absl::Duration kLength = absl::Milliseconds(1);
constexpr int64_t kMostCalls = 128;
// For the draws of a batch.
constexpr absl::Duration kDrawBudget = absl::Milliseconds(100);

// Honest solutions need one batch, and on a busy machine now and then twenty.
constexpr int kEvidence = 10;
constexpr int kMostBatches = 40;

// Whole times, at most kMostCalls.
int64_t HowOften(absl::Duration part, absl::Duration whole) {
  if (part <= absl::ZeroDuration()) return kMostCalls;
  absl::Duration rest;
  return std::min(absl::IDivDuration(whole, part, &rest), kMostCalls);
}

}  // namespace

int CallsPerBatch(absl::Duration claimed, absl::Duration draw_cost) {
  if (claimed >= kLength) return 0;
  const int64_t calls =
      std::min(std::max<int64_t>(HowOften(claimed, kLength), 2),
               HowOften(draw_cost, kDrawBudget));
  return calls < 2 ? 0 : static_cast<int>(calls);
}

BatchJudge::BatchJudge(absl::Duration claimed, int calls,
                       absl::Duration overhead,
                       const OutsideAllowance& allowance)
    : claimed_(claimed),
      calls_(calls),
      overhead_(overhead),
      allowed_(std::max(kAllowedShare * claimed, kAllowedPerRequest / calls) +
               allowance.fixed +
               std::min(allowance.memory, kMostForMemory * claimed)) {}

bool BatchJudge::IsBorneOut(absl::Duration elapsed) {
  ++made_;
  last_ = (elapsed - overhead_) / calls_;
  return last_ <= claimed_ + allowed_;
}

void BatchJudge::AddControl(absl::Duration elapsed) {
  if (elapsed - overhead_ - control_time() > kAllowedPerRequest) return;
  fastest_ = std::min(fastest_, last_);
  ++count_;
}

bool BatchJudge::is_over() const {
  return count_ == kEvidence || made_ == kMostBatches;
}

std::optional<BrokenRule> BatchJudge::broken() const {
  if (count_ < kEvidence) return std::nullopt;
  return BrokenRule{
      kTimeUnaccounted,
      absl::StrCat(
          "by the worker's clock a call took ", absl::FormatDuration(fastest_),
          ", as one of ", calls_, " in the fastest of ", count_,
          " requests; its process claims ", absl::FormatDuration(claimed_),
          " for calls that come alone, and ", absl::FormatDuration(allowed_),
          " more are allowed")};
}

}  // namespace assay
