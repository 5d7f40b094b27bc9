// Evaluates one solution on one workload: inputs, expected outputs, a first
// check, then timed calls of which every output is checked, too.

#ifndef ASSAY_WORKER_EVALUATE_JOB_EVALUATION_H_
#define ASSAY_WORKER_EVALUATE_JOB_EVALUATION_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/worker_service.pb.h"
#include "schema/shape.h"
#include "worker/evaluate/baseline.h"
#include "worker/evaluate/case_memory.h"
#include "worker/evaluate/evaluation_tools.h"
#include "worker/evaluate/job_result.h"
#include "worker/evaluate/output_check.h"
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

 private:
  // The steps, in order. Each returns whether to go on; if not, `result_` is
  // set.
  bool Prepare();
  bool MakeInputs();
  bool RunBaseline();
  bool LoadSolution();
  bool CheckOnce();
  bool Measure();
  bool VerifyMemory();
  void Pass();

  // Fresh inputs for every draw and what is expected of them.
  bool DrawInputs();
  bool TimeReference();
  // `count` calls on draws in random order; times go to `samples_ns` if given.
  bool CallSolution(int count, std::vector<int64_t>* samples_ns);
  bool CallBatch(const std::vector<int>& draws,
                 std::vector<int64_t>* samples_ns);
  bool CheckGuards();
  bool InputsUnchanged();

  // Ends the job. All return false.
  bool EndWith(const Verdict& verdict);
  bool EndWith(JobFault fault);
  bool EndWith(const absl::Status& status);
  bool EndWithFinding(absl::string_view rule, const std::string& evidence);

  std::vector<int> ShuffledDraws(int count);
  std::string LatencyKey() const;
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
  std::optional<OutputCheck> check_;
  const measure::Key input_key_;
  const measure::Key pattern_key_;
  int draws_made_ = 0;
  uint32_t next_pattern_ = 0;
  uint64_t input_checksum_ = 0;
  absl::Duration run_time_left_;
  double reference_latency_ms_ = 0;
  std::vector<int64_t> samples_ns_;
  std::vector<v1::Finding> findings_;
  JobResult result_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_JOB_EVALUATION_H_
