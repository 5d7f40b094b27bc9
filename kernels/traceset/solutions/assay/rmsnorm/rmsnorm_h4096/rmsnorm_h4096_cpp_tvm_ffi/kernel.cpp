// The TVM-FFI binding of rmsnorm.h: the same kernel behind another door. The
// output is passed by the caller, after the inputs.

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include "dl_tensor.h"
#include "rmsnorm.h"

namespace {

using assay::Bf16;
using tvm::ffi::TensorView;

void RmsNormTvmFfi(TensorView hidden_states, TensorView weight, double eps,
                   TensorView output) {
  if (!assay::IsBfloat16(hidden_states.dtype())) {
    TVM_FFI_THROW(TypeError) << "rmsnorm: hidden_states must be bfloat16";
  }
  assay::RmsNorm(static_cast<const Bf16*>(hidden_states.data_ptr()),
                 static_cast<const Bf16*>(weight.data_ptr()),
                 static_cast<float>(eps), hidden_states.size(0),
                 hidden_states.size(1), static_cast<Bf16*>(output.data_ptr()));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rmsnorm, RmsNormTvmFfi);
