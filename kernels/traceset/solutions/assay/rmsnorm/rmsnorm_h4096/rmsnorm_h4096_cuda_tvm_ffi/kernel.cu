// The TVM-FFI binding of rmsnorm.cuh: the same kernel behind another door.

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include "dl_tensor.h"
#include "rmsnorm.cuh"

namespace {

using T = __nv_bfloat16;
using tvm::ffi::TensorView;

void RmsNormTvmFfi(TensorView hidden_states, TensorView weight, double eps,
                   TensorView output) {
  if (!assay::IsBfloat16(hidden_states.dtype())) {
    TVM_FFI_THROW(TypeError) << "rmsnorm: hidden_states must be bfloat16";
  }
  const DLDevice device = hidden_states.device();
  const auto stream = static_cast<cudaStream_t>(
      TVMFFIEnvGetStream(device.device_type, device.device_id));
  const int code = assay::RmsNorm(
      static_cast<const T*>(hidden_states.data_ptr()),
      static_cast<const T*>(weight.data_ptr()), static_cast<float>(eps),
      hidden_states.size(0), hidden_states.size(1),
      static_cast<T*>(output.data_ptr()), stream);
  TVM_FFI_ICHECK_EQ(code, cudaSuccess) << "rmsnorm: the launch failed";
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rmsnorm, RmsNormTvmFfi);
