// The worker's clock around many calls at a time: all that a request takes
// besides is shared by its calls, and the shorter they are said to be, the more
// of them share it. Times that are forged by less than the outside clock of
// single calls allows show here.
//
//   BatchJudge judge(claimed, calls, overhead, allowance);
//   do {
//     if (judge.IsBorneOut(elapsed of a request)) break;  // No more is needed.
//     judge.AddControl(elapsed of a process that is trusted, busy for as long);
//   } while (!judge.is_over());
//   ... judge.broken() ...

#ifndef ASSAY_WORKER_EVALUATE_BATCH_CLOCK_H_
#define ASSAY_WORKER_EVALUATE_BATCH_CLOCK_H_

#include <optional>

#include "absl/time/time.h"
#include "worker/evaluate/outside_clock.h"
#include "worker/evaluate/timed_call.h"

namespace assay {

// How many calls a batch should have, 2 or more; 0 for none: calls as long as
// is `claimed` need no company, or there is no time for so many draws.
int CallsPerBatch(absl::Duration claimed, absl::Duration draw_cost);

// Rule kTimeUnaccounted: no request of many calls was as short as what is
// claimed of single calls, the overhead and the allowance explain. One without
// disturbance is proof enough. What others on the machine disturb proves
// nothing: only requests count for which a process that is trusted, asked right
// after each to be busy for as long, was not held up.
class BatchJudge {
 public:
  // `claimed` is what will be reported; `overhead` what a request takes that
  // calls nothing.
  BatchJudge(absl::Duration claimed, int calls, absl::Duration overhead,
             const OutsideAllowance& allowance);

  // Whether a batch that took `elapsed` shows that the claim may be true.
  bool IsBorneOut(absl::Duration elapsed);

  // For how long the trusted process is to be busy after one that does not, and
  // what its request took.
  absl::Duration control_time() const { return calls_ * claimed_; }
  void AddControl(absl::Duration elapsed);

  // Whether enough is known, or nothing can be known.
  bool is_over() const;
  std::optional<BrokenRule> broken() const;

 private:
  const absl::Duration claimed_;
  const int calls_;
  const absl::Duration overhead_;
  const absl::Duration allowed_;
  absl::Duration last_;
  // Of those that count.
  absl::Duration fastest_ = absl::InfiniteDuration();
  int count_ = 0;
  int made_ = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_BATCH_CLOCK_H_
