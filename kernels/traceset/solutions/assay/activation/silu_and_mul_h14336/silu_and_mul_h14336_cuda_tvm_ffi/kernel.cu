// The TVM-FFI binding of silu_and_mul.cuh: the same kernel behind another door.

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include "dl_tensor.h"
#include "silu_and_mul.cuh"

namespace {

using T = __nv_bfloat16;
using tvm::ffi::TensorView;

void SiluAndMulTvmFfi(TensorView x, TensorView y) {
  if (!assay::IsBfloat16(x.dtype())) {
    TVM_FFI_THROW(TypeError) << "silu_and_mul: x must be bfloat16";
  }
  const DLDevice device = x.device();
  const auto stream = static_cast<cudaStream_t>(
      TVMFFIEnvGetStream(device.device_type, device.device_id));
  const int code =
      assay::SiluAndMul(static_cast<const T*>(x.data_ptr()), y.size(0),
                        y.size(1), static_cast<T*>(y.data_ptr()), stream);
  TVM_FFI_ICHECK_EQ(code, cudaSuccess) << "silu_and_mul: the launch failed";
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(silu_and_mul, SiluAndMulTvmFfi);
