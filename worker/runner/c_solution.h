// A compiled solution with binding `c`; worker/runner/c_entry.h has the ABI.

#ifndef ASSAY_WORKER_RUNNER_C_SOLUTION_H_
#define ASSAY_WORKER_RUNNER_C_SOLUTION_H_

#include <array>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "worker/runner/c_entry.h"
#include "worker/runner/loaded_solution.h"

namespace assay {

class CSolution final : public LoadedSolution {
 public:
  MaybeFailed Load(const worker::Load& load, UniqueFd content) override;
  MaybeFailed Bind(const BoundMemory& memory) override;
  void Call(size_t draw, size_t slot) override;
  MaybeFailed Finish(size_t draw, size_t slot) override;

 private:
  // A scalar as the entry wants it.
  struct alignas(8) Scalar {
    unsigned char bytes[8];
  };

  const void* Argument(const BoundValue& value, v1::DType dtype);

  CEntry entry_ = nullptr;
  worker::Load load_;
  // A deque: its elements do not move.
  std::deque<Scalar> scalars_;
  size_t slot_count_ = 0;
  // Arguments of draw d and slot s at d * slot_count_ + s.
  std::vector<std::vector<const void*>> arguments_;
  int result_ = 0;
  std::array<char, 8192> error_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_C_SOLUTION_H_
