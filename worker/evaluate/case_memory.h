// The memory of one evaluation: inputs for several draws, the expected outputs
// of each draw, and slots that the solution writes its outputs to.
//
// Three arenas, so that each process gets only what it may see:
//   inputs    read by the baseline and the solution
//   expected  written by the baseline, never shared with the solution
//   outputs   written by the solution
// Every output in a slot has a guard band before and behind it.

#ifndef ASSAY_WORKER_EVALUATE_CASE_MEMORY_H_
#define ASSAY_WORKER_EVALUATE_CASE_MEMORY_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "assay/v1/workload.pb.h"
#include "schema/shape.h"
#include "worker/device/device.h"
#include "worker/protocol/runner.pb.h"

namespace assay {

// Tensors start at multiples of this, as CUDA's allocations do.
inline constexpr int64_t kTensorAlignment = 256;
inline constexpr int64_t kGuardBytes = 256;

// How many draws and slots an evaluation has, and what they take.
struct CasePlan {
  int draws = 1;
  int slots = 1;
  // Of all three arenas together.
  int64_t bytes = 0;
};

// Two draws where inputs are random, and as many slots as are cheap, up to
// `max_slots`; fewer where memory is short. RESOURCE_EXHAUSTED, with the bytes
// needed, when even one draw and one slot are more than `budget_bytes`.
absl::StatusOr<CasePlan> PlanCase(const ResolvedCase& sizes,
                                  const v1::Workload& workload, int max_slots,
                                  int64_t budget_bytes);

// Movable; the device outlives it.
class CaseMemory {
 public:
  static absl::StatusOr<CaseMemory> Allocate(Device& device,
                                             const ResolvedCase& sizes,
                                             const v1::Workload& workload,
                                             const CasePlan& plan);

  // Regions of tensors, by index in call order. Inputs that are the same in
  // every draw have one region for all; scalars have none.
  const Region& Input(int draw, int input) const;
  const Region& Expected(int draw, int output) const;
  const Region& Output(int slot, int output) const;
  // Every guard band of every slot.
  const std::vector<Region>& guards() const { return guards_; }
  // The whole arena of inputs.
  Region AllInputs() const;

  int draws() const { return plan_.draws; }
  int slots() const { return plan_.slots; }

  // What to send to a process: for the solution, calls write to slots; for the
  // baseline, slot i is the expected outputs of draw i.
  const worker::Bind& solution_bind() const { return solution_bind_; }
  const worker::Bind& baseline_bind() const { return baseline_bind_; }
  // Descriptors that go with it, in order.
  absl::StatusOr<std::vector<UniqueFd>> ShareForSolution() const;
  absl::StatusOr<std::vector<UniqueFd>> ShareForBaseline() const;

 private:
  CaseMemory() = default;

  CasePlan plan_;
  std::unique_ptr<Arena> inputs_;
  std::unique_ptr<Arena> expected_;
  std::unique_ptr<Arena> outputs_;
  // By draw or slot, then by tensor.
  std::vector<std::vector<Region>> input_regions_;
  std::vector<std::vector<Region>> expected_regions_;
  std::vector<std::vector<Region>> output_regions_;
  std::vector<Region> guards_;
  worker::Bind solution_bind_;
  worker::Bind baseline_bind_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_CASE_MEMORY_H_
