// Where the tensors of a case lie, relative to the beginning of their block:
//
//   drawn     the inputs that are random, of one draw; where none is, those
//             whose stored values are varied
//   fixed     the inputs that the workload gives
//   expected  the outputs, as the reference computes them
//   slot      the outputs of one call, a guard band before and behind each

#ifndef ASSAY_WORKER_EVALUATE_CASE_LAYOUT_H_
#define ASSAY_WORKER_EVALUATE_CASE_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "assay/v1/workload.pb.h"
#include "schema/shape.h"

namespace assay {

// Tensors start at multiples of this, as CUDA's allocations do.
inline constexpr int64_t kTensorAlignment = 256;
inline constexpr int64_t kGuardBytes = 256;

// Bytes of a block.
struct Span {
  int64_t offset = 0;
  int64_t bytes = 0;
};

// Immutable. No block is empty: there is always something to map.
class CaseLayout {
 public:
  enum class InputKind { kScalar, kFixed, kDrawn };
  struct Input {
    InputKind kind = InputKind::kScalar;
    // Within its block; of scalars, which are passed by value, empty.
    Span span;
  };

  CaseLayout(const ResolvedCase& sizes, const v1::Workload& workload);

  // By tensor, in call order.
  const std::vector<Input>& inputs() const { return inputs_; }
  const std::vector<Span>& expected() const { return expected_; }
  const std::vector<Span>& slot() const { return slot_; }
  // The guard bands of a slot.
  const std::vector<Span>& guards() const { return guards_; }

  int64_t drawn_bytes() const { return drawn_bytes_; }
  // Of the values that are varied, besides.
  int64_t unvaried_bytes() const { return is_varied_ ? drawn_bytes_ : 0; }
  int64_t fixed_bytes() const { return fixed_bytes_; }
  int64_t expected_bytes() const { return expected_bytes_; }
  int64_t slot_bytes() const { return slot_bytes_; }

  // Whether anything differs between draws.
  bool has_drawn() const { return has_drawn_; }
  // Whether what does are stored values, varied.
  bool is_varied() const { return is_varied_; }

 private:
  std::vector<Input> inputs_;
  std::vector<Span> expected_;
  std::vector<Span> slot_;
  std::vector<Span> guards_;
  int64_t drawn_bytes_ = 0;
  int64_t fixed_bytes_ = 0;
  int64_t expected_bytes_ = 0;
  int64_t slot_bytes_ = 0;
  bool has_drawn_ = false;
  bool is_varied_ = false;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_CASE_LAYOUT_H_
