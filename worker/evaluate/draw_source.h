// Makes draws: random inputs that have not been there before, and what the
// reference computes from them.

#ifndef ASSAY_WORKER_EVALUATE_DRAW_SOURCE_H_
#define ASSAY_WORKER_EVALUATE_DRAW_SOURCE_H_

#include <optional>
#include <variant>

#include "absl/time/time.h"
#include "assay/v1/worker_service.pb.h"
#include "kernels/measure/philox.h"
#include "schema/shape.h"
#include "worker/device/device_watch.h"
#include "worker/evaluate/baseline.h"
#include "worker/evaluate/case_memory.h"
#include "worker/evaluate/evaluation_tools.h"
#include "worker/evaluate/job_result.h"
#include "worker/evaluate/settings.h"
#include "worker/evaluate/stage_clock.h"
#include "worker/evaluate/timed_call.h"

namespace assay {

// For one evaluation.
class DrawSource {
 public:
  // All references outlive it. `key` is secret; draws follow from it.
  DrawSource(const EvaluationTools& tools, const v1::Lease& lease,
             const v1::LeasedJob& job, const ResolvedCase& sizes,
             const CaseMemory& memory, const EvaluationSettings& settings,
             const measure::Key& key, Baseline& baseline, StageClock& stages)
      : tools_(tools),
        lease_(lease),
        job_(job),
        sizes_(sizes),
        memory_(memory),
        settings_(settings),
        key_(key),
        baseline_(baseline),
        stages_(stages) {}

  // Stages a new draw, and computes what is expected of it. Where nothing is
  // random, that is what the workload stores; and where that cannot be varied,
  // the first draw is the only one. Nothing is returned on success.
  std::optional<JobFault> Draw();

  // Whether there are draws of varied values between those of stored ones.
  bool varies() const { return memory_.is_varied() && !stopped_varying_; }
  // As Draw, with values near those that the workload stores.
  std::optional<JobFault> DrawVaried();
  void StopVarying() { stopped_varying_ = true; }

  // Stages a new draw; what is expected of it is somebody else's affair.
  std::optional<JobFault> Stage() { return Stage(/*varied=*/false); }

  // Computes once more what is expected of the draw that is staged.
  std::optional<JobFault> ComputeAgain();

  // A call that does nothing, in the reference's process: what the solution's
  // could not do faster at this moment.
  std::variant<TimedCall, JobFault> Ping(Watching watching = Watching::kNo);

  // What the draws for a timed call take: the least that one has taken, twice
  // where values are varied; zero where the first is the only one. Does not
  // depend on the solution.
  absl::Duration cost() const;

 private:
  std::optional<JobFault> Stage(bool varied);
  absl::Status StageInputs(bool varied, int number);
  std::optional<JobFault> Make(bool varied);

  const EvaluationTools& tools_;
  const v1::Lease& lease_;
  const v1::LeasedJob& job_;
  const ResolvedCase& sizes_;
  const CaseMemory& memory_;
  const EvaluationSettings& settings_;
  const measure::Key key_;
  Baseline& baseline_;
  StageClock& stages_;
  int draws_made_ = 0;
  bool stopped_varying_ = false;
  absl::Duration least_cost_ = absl::InfiniteDuration();
};

// How many calls of a trial are timed: the settings' iterations, but no more
// than there is time to make draws for, and 5 in any case.
int TimedCallsPerTrial(const EvaluationSettings& settings,
                       absl::Duration draw_cost);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_DRAW_SOURCE_H_
