// The memory of one evaluation, in arenas, so that each process gets only what
// it may see:
//
//   originals  read by the baseline: the inputs that the workload gives, and
//              the staged ones, the random inputs of the draws to come, of one
//              or of as many as a request is to have calls; or stored ones as
//              they are or varied
//   inputs     read by both: copies of the former, and places, of which one
//              gets a copy of what is staged when a call is about to be made
//   expected   written by the baseline: the outputs for the originals of each
//              draw
//   outputs    written by the solution: slots, of which one is for a call
//
// A call's random inputs are nowhere that the solution can look before the call
// is due. What a solution does to its copies changes nothing about what is
// expected of it.

#ifndef ASSAY_WORKER_EVALUATE_CASE_MEMORY_H_
#define ASSAY_WORKER_EVALUATE_CASE_MEMORY_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "assay/v1/workload.pb.h"
#include "schema/shape.h"
#include "worker/device/device.h"
#include "worker/evaluate/case_layout.h"
#include "worker/evaluate/case_plan.h"
#include "worker/protocol/runner.pb.h"

namespace assay {

// Movable; the device outlives it.
class CaseMemory {
 public:
  // Draws and slots that the baseline knows: see baseline_bind. Draws from 1
  // on have numbers of their own.
  static constexpr int kOriginalDraw = 0;
  static constexpr int kPlacedDraw = 1;
  static constexpr int kExpectedSlot = 0;
  static constexpr int BaselineDraw(int draw) {
    return draw == 0 ? kOriginalDraw : kPlacedDraw + draw;
  }

  static absl::StatusOr<CaseMemory> Allocate(Device& device,
                                             const ResolvedCase& sizes,
                                             const v1::Workload& workload,
                                             const CasePlan& plan);

  // Regions of tensors, by index in call order. Of inputs, the original;
  // scalars have none.
  Region Input(int input, int draw = 0) const;
  // Where what the workload gives of an input is kept: of those that are
  // varied, beside what is staged.
  Region Stored(int input) const;
  Region Expected(int output, int draw = 0) const;
  Region Output(int slot, int output) const;

  // All random inputs: the originals of a draw, and where a call finds them.
  // Alike inside.
  Region Staged(int draw = 0) const;
  Region Place(int place) const;
  // What is staged when it is not varied; empty where nothing is.
  Region Unvaried() const;
  // All others: likewise.
  Region Given() const;
  Region GivenCopy() const;
  // Every guard band of every slot.
  std::vector<Region> Guards() const;

  int places() const { return plan_.places; }
  int slots() const { return plan_.slots; }
  int draws() const { return plan_.draws; }
  // Whether draws differ at all.
  bool has_drawn() const { return layout_.has_drawn(); }
  // Whether draws are of stored values, varied.
  bool is_varied() const { return layout_.is_varied(); }

  // What to send to a process. The solution's draw i has the random inputs at
  // place i. The baseline has the originals of each draw and what the solution
  // finds at place 0, and a slot for each draw, what is expected of it.
  const worker::Bind& solution_bind() const { return solution_bind_; }
  const worker::Bind& baseline_bind() const { return baseline_bind_; }
  // Descriptors that go with it, in order.
  absl::StatusOr<std::vector<UniqueFd>> ShareForSolution() const;
  absl::StatusOr<std::vector<UniqueFd>> ShareForBaseline() const;

 private:
  // Places come after the copy of what is given.
  int64_t PlaceOffset(int place) const {
    return layout_.fixed_bytes() + place * layout_.drawn_bytes();
  }
  // So do draws, after what is given itself.
  int64_t DrawOffset(int draw) const { return PlaceOffset(draw); }

  CaseMemory(const CasePlan& plan, CaseLayout layout)
      : plan_(plan), layout_(std::move(layout)) {}

  void MakeBinds(const ResolvedCase& sizes, const v1::Workload& workload);

  CasePlan plan_;
  CaseLayout layout_;
  std::unique_ptr<Arena> originals_;
  std::unique_ptr<Arena> inputs_;
  std::unique_ptr<Arena> expected_;
  std::unique_ptr<Arena> outputs_;
  worker::Bind solution_bind_;
  worker::Bind baseline_bind_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_CASE_MEMORY_H_
