// Holds the times that a solution's process claims for single calls against
// requests of many calls; see batch_clock.h. Every output of every such call is
// checked, too: each has a draw of its own, so that no answer can be given
// twice.

#ifndef ASSAY_WORKER_EVALUATE_BATCH_MEASUREMENT_H_
#define ASSAY_WORKER_EVALUATE_BATCH_MEASUREMENT_H_

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "assay/v1/workload.pb.h"
#include "kernels/measure/philox.h"
#include "schema/shape.h"
#include "worker/device/device.h"
#include "worker/evaluate/baseline.h"
#include "worker/evaluate/batch_clock.h"
#include "worker/evaluate/case_memory.h"
#include "worker/evaluate/draw_source.h"
#include "worker/evaluate/evaluators/evaluator.h"
#include "worker/evaluate/job_result.h"
#include "worker/evaluate/measurement.h"
#include "worker/evaluate/settings.h"
#include "worker/evaluate/solution_process.h"
#include "worker/evaluate/stage_clock.h"

namespace assay {

// One use each: construct, Run.
class BatchMeasurement {
 public:
  using End = Measurement::End;

  // What it works with; all of it outlives the measurement.
  struct Tools {
    Device& device;
    const ResolvedCase& sizes;
    const v1::Workload& workload;
    // Where `draws` stages a draw.
    const CaseMemory& memory;
    const EvaluationSettings& settings;
    // For patterns of its own.
    measure::Key pattern_key;
    DrawSource& draws;
    Baseline& baseline;
    SolutionProcess& solution;
    Evaluator& evaluator;
    StageClock& stages;
  };

  explicit BatchMeasurement(const Tools& tools) : tools_(tools) {}

  // Whether the claims of the samples may be true. Binds the processes of both
  // solution and baseline to memory of its own, and leaves them so.
  End Run(const Measurement::Samples& samples,
          const OutsideAllowance& allowance);

 private:
  // Fills the memory, and gives it to both processes.
  End Prepare();
  // The elapsed time of one more batch, with draws of its own, and outputs that
  // are right.
  std::variant<absl::Duration, End> Make();
  std::optional<JobFault> Draw();
  absl::Status Deliver();
  End CheckOutputs();

  const Tools tools_;
  std::optional<CaseMemory> memory_;
  uint32_t next_pattern_ = 0;
  // Of the outputs of the last batch, slot by slot.
  std::vector<PatternRegion> patterns_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_BATCH_MEASUREMENT_H_
