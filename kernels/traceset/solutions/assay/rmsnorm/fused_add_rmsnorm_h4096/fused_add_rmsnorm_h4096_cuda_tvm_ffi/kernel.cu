// The TVM-FFI binding of fused_add_rmsnorm.cuh: the same kernel behind another
// door.

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include "dl_tensor.h"
#include "fused_add_rmsnorm.cuh"

namespace {

using T = __nv_bfloat16;
using tvm::ffi::TensorView;

T* Pointer(const TensorView& tensor) {
  return static_cast<T*>(tensor.data_ptr());
}

void FusedAddRmsNormTvmFfi(TensorView hidden_states, TensorView residual,
                           TensorView weight, double eps, TensorView output,
                           TensorView residual_out) {
  if (!assay::IsBfloat16(hidden_states.dtype())) {
    TVM_FFI_THROW(TypeError)
        << "fused_add_rmsnorm: hidden_states must be bfloat16";
  }
  const DLDevice device = hidden_states.device();
  const auto stream = static_cast<cudaStream_t>(
      TVMFFIEnvGetStream(device.device_type, device.device_id));
  const int code = assay::FusedAddRmsNorm<T>(
      Pointer(hidden_states), Pointer(residual), Pointer(weight),
      static_cast<float>(eps), hidden_states.size(0), hidden_states.size(1),
      Pointer(output), Pointer(residual_out), stream);
  TVM_FFI_ICHECK_EQ(code, cudaSuccess)
      << "fused_add_rmsnorm: the launch failed";
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(fused_add_rmsnorm, FusedAddRmsNormTvmFfi);
