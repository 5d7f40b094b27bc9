#include "worker/evaluate/case_layout.h"

#include <algorithm>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "schema/freshness.h"

namespace assay {
namespace {

int64_t Align(int64_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

// Hands out parts of a block.
class Block {
 public:
  Span Take(int64_t bytes) {
    const Span span = {size_, bytes};
    size_ += Align(bytes);
    return span;
  }
  int64_t size() const { return std::max(size_, kTensorAlignment); }

 private:
  int64_t size_ = 0;
};

}  // namespace

CaseLayout::CaseLayout(const ResolvedCase& sizes,
                       const v1::Workload& workload) {
  is_varied_ = FreshnessOf(sizes, workload) == Freshness::kVaried;
  absl::flat_hash_map<std::string, const v1::WorkloadInput*> given;
  for (const v1::WorkloadInput& input : workload.inputs()) {
    given[input.name()] = &input;
  }
  Block drawn;
  Block fixed;
  for (const ResolvedTensor& tensor : sizes.inputs) {
    Input& input = inputs_.emplace_back();
    if (tensor.is_scalar) continue;
    const auto found = given.find(tensor.name);
    const bool is_drawn =
        found != given.end() && (is_varied_ ? CanVary(tensor, *found->second)
                                            : found->second->has_random());
    input.kind = is_drawn ? InputKind::kDrawn : InputKind::kFixed;
    input.span = (is_drawn ? drawn : fixed).Take(tensor.bytes);
    has_drawn_ = has_drawn_ || (is_drawn && tensor.bytes > 0);
  }
  Block expected;
  Block slot;
  guards_.push_back(slot.Take(kGuardBytes));
  for (const ResolvedTensor& output : sizes.outputs) {
    expected_.push_back(expected.Take(output.bytes));
    slot_.push_back(slot.Take(output.bytes));
    // From the last byte on: what rounds the tensor up is guarded, too.
    const int64_t end = slot_.back().offset + output.bytes;
    const Span band = slot.Take(kGuardBytes);
    guards_.push_back({end, band.offset + band.bytes - end});
  }
  drawn_bytes_ = drawn.size();
  fixed_bytes_ = fixed.size();
  expected_bytes_ = expected.size();
  slot_bytes_ = slot.size();
}

}  // namespace assay
