#include "worker/evaluate/case_memory.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "schema/dtype.h"

namespace assay {
namespace {

// Slots beyond this much memory gain nothing: the batch is long enough.
constexpr int64_t kCheapSlotBytes = int64_t{64} << 20;
// Nor do more than these, whose descriptions have to fit into one message.
constexpr int kMaxSlots = 256;
constexpr int kRandomDraws = 2;

int64_t Align(int64_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

absl::flat_hash_map<std::string, const v1::WorkloadInput*> InputsByName(
    const v1::Workload& workload) {
  absl::flat_hash_map<std::string, const v1::WorkloadInput*> by_name;
  for (const v1::WorkloadInput& input : workload.inputs()) {
    by_name[input.name()] = &input;
  }
  return by_name;
}

// Whether each input is drawn anew for every draw.
std::vector<bool> RandomInputs(const ResolvedCase& sizes,
                               const v1::Workload& workload) {
  const auto by_name = InputsByName(workload);
  std::vector<bool> random;
  for (const ResolvedTensor& input : sizes.inputs) {
    const auto found = by_name.find(input.name);
    random.push_back(found != by_name.end() && found->second->has_random());
  }
  return random;
}

// Hands out offsets within an arena.
class Layout {
 public:
  int64_t Take(int64_t bytes) {
    const int64_t offset = size_;
    size_ += Align(bytes);
    return offset;
  }
  // Never empty: there is always something to map.
  int64_t size() const { return std::max(size_, kTensorAlignment); }

 private:
  int64_t size_ = 0;
};

// Sizes of the arenas, by the same steps that place the tensors.
int64_t InputArenaBytes(const ResolvedCase& sizes,
                        const std::vector<bool>& random, int draws) {
  Layout layout;
  for (size_t i = 0; i < sizes.inputs.size(); ++i) {
    if (sizes.inputs[i].is_scalar) continue;
    for (int draw = 0; draw < (random[i] ? draws : 1); ++draw) {
      layout.Take(sizes.inputs[i].bytes);
    }
  }
  return layout.size();
}

int64_t ExpectedArenaBytes(const ResolvedCase& sizes, int draws) {
  Layout layout;
  for (int draw = 0; draw < draws; ++draw) {
    for (const ResolvedTensor& output : sizes.outputs)
      layout.Take(output.bytes);
  }
  return layout.size();
}

int64_t OutputArenaBytes(const ResolvedCase& sizes, int slots) {
  Layout layout;
  for (int slot = 0; slot < slots; ++slot) {
    layout.Take(kGuardBytes);
    for (const ResolvedTensor& output : sizes.outputs) {
      layout.Take(output.bytes);
      layout.Take(kGuardBytes);
    }
  }
  return layout.size();
}

int64_t TotalBytes(const ResolvedCase& sizes, const std::vector<bool>& random,
                   int draws, int slots) {
  return InputArenaBytes(sizes, random, draws) +
         ExpectedArenaBytes(sizes, draws) + OutputArenaBytes(sizes, slots);
}

worker::TensorRef RefTo(const Region& region, int arena,
                        const ResolvedTensor& tensor) {
  worker::TensorRef ref;
  ref.set_arena(arena);
  ref.set_offset(region.offset);
  ref.set_dtype(tensor.dtype);
  ref.mutable_shape()->Add(tensor.dims.begin(), tensor.dims.end());
  return ref;
}

// Of the kind that the dtype calls for: JSON's 1 is a fine float32.
worker::Value ScalarValue(const v1::ScalarInput& scalar, v1::DType dtype) {
  worker::Value value;
  if (IsFloatDType(dtype)) {
    value.set_float_value(scalar.has_int_value()
                              ? static_cast<double>(scalar.int_value())
                              : scalar.float_value());
  } else if (dtype == v1::DTYPE_BOOL) {
    value.set_bool_value(scalar.bool_value());
  } else {
    value.set_int_value(scalar.int_value());
  }
  return value;
}

// What both processes are told alike: the inputs' arena and arguments.
worker::Bind BindInputs(const ResolvedCase& sizes, const v1::Workload& workload,
                        const std::vector<std::vector<Region>>& regions,
                        int64_t arena_bytes) {
  worker::Bind bind;
  worker::Bind::Arena& arena = *bind.add_arenas();
  arena.set_size_bytes(arena_bytes);
  const auto by_name = InputsByName(workload);
  for (const std::vector<Region>& draw : regions) {
    worker::InputSet& set = *bind.add_draws();
    for (size_t i = 0; i < sizes.inputs.size(); ++i) {
      const ResolvedTensor& input = sizes.inputs[i];
      if (input.is_scalar) {
        *set.add_values() =
            ScalarValue(by_name.at(input.name)->scalar(), input.dtype);
      } else {
        *set.add_values()->mutable_tensor() = RefTo(draw[i], 0, input);
      }
    }
  }
  return bind;
}

void BindOutputs(const ResolvedCase& sizes,
                 const std::vector<std::vector<Region>>& regions,
                 int64_t arena_bytes, worker::Bind& bind) {
  worker::Bind::Arena& arena = *bind.add_arenas();
  arena.set_size_bytes(arena_bytes);
  arena.set_writable(true);
  for (const std::vector<Region>& slot : regions) {
    worker::OutputSlot& outputs = *bind.add_slots();
    for (size_t i = 0; i < sizes.outputs.size(); ++i) {
      *outputs.add_outputs() = RefTo(slot[i], 1, sizes.outputs[i]);
    }
  }
}

absl::StatusOr<std::vector<UniqueFd>> ShareBoth(const Arena& first,
                                                const Arena& second) {
  std::vector<UniqueFd> fds;
  for (const Arena* arena : {&first, &second}) {
    ASSAY_ASSIGN_OR_RETURN(UniqueFd fd, arena->Share());
    fds.push_back(std::move(fd));
  }
  return fds;
}

}  // namespace

absl::StatusOr<CasePlan> PlanCase(const ResolvedCase& sizes,
                                  const v1::Workload& workload, int max_slots,
                                  int64_t budget_bytes) {
  const std::vector<bool> random = RandomInputs(sizes, workload);
  const bool any_random =
      std::find(random.begin(), random.end(), true) != random.end();
  CasePlan plan;
  plan.draws = any_random ? kRandomDraws : 1;
  const int64_t slot_bytes = OutputArenaBytes(sizes, 1);
  plan.slots = static_cast<int>(std::clamp<int64_t>(
      kCheapSlotBytes / slot_bytes, 1, std::clamp(max_slots, 1, kMaxSlots)));
  plan.bytes = TotalBytes(sizes, random, plan.draws, plan.slots);
  while (plan.bytes > budget_bytes && (plan.slots > 1 || plan.draws > 1)) {
    if (plan.slots > 1) {
      plan.slots /= 2;
    } else {
      plan.draws = 1;
    }
    plan.bytes = TotalBytes(sizes, random, plan.draws, plan.slots);
  }
  if (plan.bytes > budget_bytes) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the workload needs ", plan.bytes,
        " bytes for inputs, expected and computed outputs, and the device "
        "offers ",
        budget_bytes, "; use smaller axes or a device with more memory"));
  }
  return plan;
}

absl::StatusOr<CaseMemory> CaseMemory::Allocate(Device& device,
                                                const ResolvedCase& sizes,
                                                const v1::Workload& workload,
                                                const CasePlan& plan) {
  const std::vector<bool> random = RandomInputs(sizes, workload);
  CaseMemory memory;
  memory.plan_ = plan;
  ASSAY_ASSIGN_OR_RETURN(
      memory.inputs_,
      device.Allocate(InputArenaBytes(sizes, random, plan.draws),
                      ArenaAccess::kRead));
  ASSAY_ASSIGN_OR_RETURN(memory.expected_,
                         device.Allocate(ExpectedArenaBytes(sizes, plan.draws),
                                         ArenaAccess::kWrite));
  ASSAY_ASSIGN_OR_RETURN(memory.outputs_,
                         device.Allocate(OutputArenaBytes(sizes, plan.slots),
                                         ArenaAccess::kWrite));

  memory.input_regions_.resize(plan.draws);
  Layout inputs;
  for (size_t i = 0; i < sizes.inputs.size(); ++i) {
    const ResolvedTensor& input = sizes.inputs[i];
    Region region;
    for (int draw = 0; draw < plan.draws; ++draw) {
      if (!input.is_scalar && (draw == 0 || random[i])) {
        region = {memory.inputs_.get(), inputs.Take(input.bytes), input.bytes};
      }
      memory.input_regions_[draw].push_back(region);
    }
  }

  Layout expected;
  for (int draw = 0; draw < plan.draws; ++draw) {
    std::vector<Region>& regions = memory.expected_regions_.emplace_back();
    for (const ResolvedTensor& output : sizes.outputs) {
      regions.push_back(
          {memory.expected_.get(), expected.Take(output.bytes), output.bytes});
    }
  }

  Layout outputs;
  const auto take = [&](int64_t bytes) {
    return Region{memory.outputs_.get(), outputs.Take(bytes), bytes};
  };
  for (int slot = 0; slot < plan.slots; ++slot) {
    std::vector<Region>& regions = memory.output_regions_.emplace_back();
    memory.guards_.push_back(take(kGuardBytes));
    for (const ResolvedTensor& output : sizes.outputs) {
      regions.push_back(take(output.bytes));
      // From the last byte on: what rounds the tensor up is guarded, too.
      const int64_t end = regions.back().offset + output.bytes;
      const Region band = take(kGuardBytes);
      memory.guards_.push_back(
          {band.arena, end, band.offset + band.bytes - end});
    }
  }

  memory.solution_bind_ = BindInputs(sizes, workload, memory.input_regions_,
                                     memory.inputs_->size_bytes());
  memory.baseline_bind_ = memory.solution_bind_;
  BindOutputs(sizes, memory.output_regions_, memory.outputs_->size_bytes(),
              memory.solution_bind_);
  BindOutputs(sizes, memory.expected_regions_, memory.expected_->size_bytes(),
              memory.baseline_bind_);
  return memory;
}

const Region& CaseMemory::Input(int draw, int input) const {
  return input_regions_[draw][input];
}
const Region& CaseMemory::Expected(int draw, int output) const {
  return expected_regions_[draw][output];
}
const Region& CaseMemory::Output(int slot, int output) const {
  return output_regions_[slot][output];
}

Region CaseMemory::AllInputs() const {
  return {inputs_.get(), 0, inputs_->size_bytes()};
}

absl::StatusOr<std::vector<UniqueFd>> CaseMemory::ShareForSolution() const {
  return ShareBoth(*inputs_, *outputs_);
}
absl::StatusOr<std::vector<UniqueFd>> CaseMemory::ShareForBaseline() const {
  return ShareBoth(*inputs_, *expected_);
}

}  // namespace assay
