// A compiled solution with binding `tvm-ffi`: a function exported as
// `__tvm_ffi_<symbol>` through apache-tvm-ffi's C ABI. Tensors are passed as
// DLTensor pointers, scalars as int, float or bool.

#ifndef ASSAY_WORKER_RUNNER_TVM_FFI_SOLUTION_H_
#define ASSAY_WORKER_RUNNER_TVM_FFI_SOLUTION_H_

#include <tvm/ffi/c_api.h>

#include <memory>
#include <string>
#include <vector>

#include "worker/runner/loaded_solution.h"
#include "worker/runner/tvm_ffi_api.h"

namespace assay {

class TvmFfiSolution final : public LoadedSolution {
 public:
  MaybeFailed Load(const worker::Load& load, UniqueFd content) override;
  MaybeFailed Bind(const BoundMemory& memory) override;
  void Call(size_t draw, size_t slot) override;
  MaybeFailed Finish(size_t draw, size_t slot) override;

 private:
  using Slot = std::vector<std::unique_ptr<BoundTensor>>;
  using Entry = int (*)(void* self, const TVMFFIAny* args, int32_t num_args,
                        TVMFFIAny* result);

  MaybeFailed CopyReturned(const Slot& slot);
  MaybeFailed CopyOne(const TVMFFIAny& value, int index, const Slot& slot);
  // "x: tensor, factor: float, y: tensor", as the entry point is called.
  std::string DescribeArguments() const;

  worker::Load load_;
  TvmFfiApi api_;
  Entry entry_ = nullptr;
  const BoundMemory* memory_ = nullptr;
  // Arguments of draw d and slot s at d * (number of slots) + s.
  std::vector<std::vector<TVMFFIAny>> arguments_;
  int result_ = 0;
  TVMFFIAny returned_ = {};
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_TVM_FFI_SOLUTION_H_
