#include "worker/evaluate/case_memory.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/status_macros.h"
#include "schema/dtype.h"

namespace assay {
namespace {

using InputKind = CaseLayout::InputKind;

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

// Describes tensors of a case in arenas that are added as they are needed.
class BindMaker {
 public:
  BindMaker(const ResolvedCase& sizes, const v1::Workload& workload,
            const CaseLayout& layout)
      : sizes_(sizes), layout_(layout) {
    for (const v1::WorkloadInput& input : workload.inputs()) {
      if (input.has_scalar()) scalars_[input.name()] = &input.scalar();
    }
  }

  // Its number.
  int AddArena(const Arena& arena, bool writable) {
    worker::Bind::Arena& added = *bind_.add_arenas();
    added.set_size_bytes(arena.size_bytes());
    added.set_writable(writable);
    return bind_.arenas_size() - 1;
  }

  // Inputs in an arena: random ones from `drawn` on, the others from `fixed`.
  void AddDraw(int arena, int64_t drawn, int64_t fixed) {
    worker::InputSet& set = *bind_.add_draws();
    for (size_t i = 0; i < sizes_.inputs.size(); ++i) {
      const ResolvedTensor& tensor = sizes_.inputs[i];
      const CaseLayout::Input& input = layout_.inputs()[i];
      worker::Value& value = *set.add_values();
      if (input.kind == InputKind::kScalar) {
        value = ScalarValue(*scalars_.at(tensor.name), tensor.dtype);
      } else {
        const int64_t block = input.kind == InputKind::kDrawn ? drawn : fixed;
        *value.mutable_tensor() =
            RefTo(arena, block + input.span.offset, tensor);
      }
    }
  }

  // The outputs at `spans` of arena `arena` from `offset` on.
  void AddSlot(int arena, int64_t offset, const std::vector<Span>& spans) {
    worker::OutputSlot& slot = *bind_.add_slots();
    for (size_t i = 0; i < spans.size(); ++i) {
      *slot.add_outputs() =
          RefTo(arena, offset + spans[i].offset, sizes_.outputs[i]);
    }
  }

  worker::Bind Take() { return std::move(bind_); }

 private:
  static worker::TensorRef RefTo(int arena, int64_t offset,
                                 const ResolvedTensor& tensor) {
    worker::TensorRef ref;
    ref.set_arena(arena);
    ref.set_offset(offset);
    ref.set_dtype(tensor.dtype);
    ref.mutable_shape()->Add(tensor.dims.begin(), tensor.dims.end());
    return ref;
  }

  const ResolvedCase& sizes_;
  const CaseLayout& layout_;
  absl::flat_hash_map<std::string, const v1::ScalarInput*> scalars_;
  worker::Bind bind_;
};

absl::StatusOr<std::vector<UniqueFd>> ShareAll(
    const std::vector<const Arena*>& arenas) {
  std::vector<UniqueFd> fds;
  for (const Arena* arena : arenas) {
    ASSAY_ASSIGN_OR_RETURN(UniqueFd fd, arena->Share());
    fds.push_back(std::move(fd));
  }
  return fds;
}

Region PartOf(Arena* arena, int64_t offset, const Span& span) {
  return {arena, offset + span.offset, span.bytes};
}

}  // namespace

absl::StatusOr<CaseMemory> CaseMemory::Allocate(Device& device,
                                                const ResolvedCase& sizes,
                                                const v1::Workload& workload,
                                                const CasePlan& plan) {
  CaseMemory memory(plan, CaseLayout(sizes, workload));
  const CaseLayout& layout = memory.layout_;
  const struct {
    std::unique_ptr<Arena>& arena;
    int64_t bytes;
    ArenaAccess access;
  } wanted[] = {
      {memory.originals_,
       memory.DrawOffset(plan.draws) + layout.unvaried_bytes(),
       ArenaAccess::kRead},
      {memory.inputs_, memory.PlaceOffset(plan.places), ArenaAccess::kRead},
      {memory.expected_, plan.draws * layout.expected_bytes(),
       ArenaAccess::kWrite},
      {memory.outputs_, plan.slots * layout.slot_bytes(), ArenaAccess::kWrite},
  };
  for (const auto& [arena, bytes, access] : wanted) {
    ASSAY_ASSIGN_OR_RETURN(arena, device.Allocate(bytes, access));
  }
  memory.MakeBinds(sizes, workload);
  return memory;
}

void CaseMemory::MakeBinds(const ResolvedCase& sizes,
                           const v1::Workload& workload) {
  BindMaker solution(sizes, workload, layout_);
  const int inputs = solution.AddArena(*inputs_, /*writable=*/false);
  const int outputs = solution.AddArena(*outputs_, /*writable=*/true);
  for (int place = 0; place < plan_.places; ++place) {
    solution.AddDraw(inputs, PlaceOffset(place), 0);
  }
  for (int slot = 0; slot < plan_.slots; ++slot) {
    solution.AddSlot(outputs, slot * layout_.slot_bytes(), layout_.slot());
  }
  solution_bind_ = solution.Take();

  BindMaker baseline(sizes, workload, layout_);
  const int originals = baseline.AddArena(*originals_, /*writable=*/false);
  const int copies = baseline.AddArena(*inputs_, /*writable=*/false);
  const int expected = baseline.AddArena(*expected_, /*writable=*/true);
  baseline.AddDraw(originals, DrawOffset(0), 0);
  baseline.AddDraw(copies, PlaceOffset(0), 0);
  for (int draw = 1; draw < plan_.draws; ++draw) {
    baseline.AddDraw(originals, DrawOffset(draw), 0);
  }
  for (int draw = 0; draw < plan_.draws; ++draw) {
    baseline.AddSlot(expected, draw * layout_.expected_bytes(),
                     layout_.expected());
  }
  baseline_bind_ = baseline.Take();
}

Region CaseMemory::Input(int input, int draw) const {
  const CaseLayout::Input& where = layout_.inputs()[input];
  if (where.kind == InputKind::kScalar) return {};
  const bool is_drawn = where.kind == InputKind::kDrawn;
  return PartOf(originals_.get(), is_drawn ? DrawOffset(draw) : 0, where.span);
}

Region CaseMemory::Stored(int input) const {
  const CaseLayout::Input& where = layout_.inputs()[input];
  if (!is_varied() || where.kind != InputKind::kDrawn) return Input(input);
  return PartOf(originals_.get(), Unvaried().offset, where.span);
}

Region CaseMemory::Expected(int output, int draw) const {
  return PartOf(expected_.get(), draw * layout_.expected_bytes(),
                layout_.expected()[output]);
}

Region CaseMemory::Output(int slot, int output) const {
  return PartOf(outputs_.get(), slot * layout_.slot_bytes(),
                layout_.slot()[output]);
}

Region CaseMemory::Staged(int draw) const {
  return {originals_.get(), DrawOffset(draw), layout_.drawn_bytes()};
}

Region CaseMemory::Unvaried() const {
  return {originals_.get(), DrawOffset(plan_.draws), layout_.unvaried_bytes()};
}

Region CaseMemory::Place(int place) const {
  return {inputs_.get(), PlaceOffset(place), layout_.drawn_bytes()};
}

Region CaseMemory::Given() const {
  return {originals_.get(), 0, layout_.fixed_bytes()};
}

Region CaseMemory::GivenCopy() const {
  return {inputs_.get(), 0, layout_.fixed_bytes()};
}

std::vector<Region> CaseMemory::Guards() const {
  std::vector<Region> guards;
  for (int slot = 0; slot < plan_.slots; ++slot) {
    for (const Span& span : layout_.guards()) {
      guards.push_back(
          PartOf(outputs_.get(), slot * layout_.slot_bytes(), span));
    }
  }
  return guards;
}

absl::StatusOr<std::vector<UniqueFd>> CaseMemory::ShareForSolution() const {
  return ShareAll({inputs_.get(), outputs_.get()});
}
absl::StatusOr<std::vector<UniqueFd>> CaseMemory::ShareForBaseline() const {
  return ShareAll({originals_.get(), inputs_.get(), expected_.get()});
}

}  // namespace assay
