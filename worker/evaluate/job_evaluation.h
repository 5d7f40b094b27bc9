// Evaluates one solution on one workload: inputs, expected outputs, a first
// check, then timed calls of which every output is checked, too.

#ifndef ASSAY_WORKER_EVALUATE_JOB_EVALUATION_H_
#define ASSAY_WORKER_EVALUATE_JOB_EVALUATION_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/worker_service.pb.h"
#include "schema/shape.h"
#include "worker/evaluate/baseline.h"
#include "worker/evaluate/case_memory.h"
#include "worker/evaluate/checked_calls.h"
#include "worker/evaluate/draw_source.h"
#include "worker/evaluate/evaluation_tools.h"
#include "worker/evaluate/evaluators/evaluator.h"
#include "worker/evaluate/job_result.h"
#include "worker/evaluate/measurement.h"
#include "worker/evaluate/settings.h"
#include "worker/evaluate/solution_process.h"
#include "worker/evaluate/stage_clock.h"

namespace assay {

// One use each: construct, Run. All references outlive it.
class JobEvaluation {
 public:
  JobEvaluation(const EvaluationTools& tools, const v1::Lease& lease,
                const v1::LeasedJob& job, const EvaluationSettings& settings,
                Baseline& baseline, SolutionProcess& solution,
                StageClock& stages);

  JobResult Run();

  // After Run: whether the result is that the runner failed at its own part, as
  // it says.
  bool runner_failed() const { return runner_failed_; }

 private:
  // The steps, in order. Each returns whether to go on; if not, `result_` is
  // set.
  bool Prepare();
  bool MakeInputs();
  bool RunBaseline();
  bool LoadSolution();
  bool CheckOnce();
  // The calls that the evaluator wants to see repeated.
  bool CheckRepeatedly();
  // What it says of all calls together.
  bool ConcludeCheck();
  // Of the process that the solution is loaded in.
  Measurement::End MeasureOnce();
  // Whether requests of many calls bear the times out.
  Measurement::End MeasureBatches(const OutsideAllowance& allowance);
  // Whether to measure again; if so, in a new process.
  bool IsWorthAnother(const Measurement::End& end);
  bool LoadAnew();
  bool MakeReadyAgain();
  bool Measure();
  void Pass();

  // Memory for the case. With a solution loaded that leaves too little, that is
  // ended first.
  absl::StatusOr<CaseMemory> Allocate(const CasePlan& plan);
  // The first draw.
  bool DrawInputs();
  // Whether the reference takes values near those that are stored, or else does
  // without.
  bool TryVarying();
  std::optional<JobFault> PrepareBaseline();
  // Whether the reference may have failed for want of memory that the solution,
  // from the job before, or other references keep; and has them give it back.
  bool MayFreeMemory(const JobFault& fault);
  void FreeMemory();
  bool TimeReference();

  // What the solution did when it was stopped.
  void AddPauses();
  void AddFinding(const BrokenRule& broken, v1::Finding::Effect effect);

  // Ends the job. All return false.
  bool EndWith(const Verdict& verdict);
  bool EndWith(const BrokenRule& broken);
  bool EndWith(JobFault fault);
  bool EndWith(const absl::Status& status);
  // The reference failed beside the solution: does it work without? Then the
  // solution is what it failed on.
  bool EndWithBaselineFault(JobFault fault);

  // Ends with the verdict, broken rule or worker's fault that is one of the
  // alternatives of `end`; true after any other.
  template <typename End>
  bool GoOnAfter(const End& end);

  // Has the processes let go of the memory. After an abnormal end the
  // solution's goes altogether, and the device must still be in order.
  void CleanUp();

  // The evaluation so far, with what the solution printed.
  v1::Evaluation Report(const Verdict& verdict);

  const EvaluationTools& tools_;
  const v1::Lease& lease_;
  const v1::LeasedJob& job_;
  const EvaluationSettings& settings_;
  Baseline& baseline_;
  SolutionProcess& solution_;
  StageClock& stages_;

  ResolvedCase sizes_;
  std::optional<CaseMemory> memory_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<CheckedCalls> calls_;
  std::optional<DrawSource> draws_;
  std::optional<Measurement> measurement_;
  const measure::Key input_key_;
  const measure::Key pattern_key_;
  double reference_latency_ms_ = 0;
  bool runner_failed_ = false;
  bool measured_anew_ = false;
  std::vector<v1::Finding> findings_;
  // By a process that is no more.
  std::string printed_;
  JobResult result_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_JOB_EVALUATION_H_
