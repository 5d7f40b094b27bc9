// The TVM-FFI binding of scale.cuh: the same kernel behind another door.

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include "dl_tensor.h"
#include "scale.cuh"

namespace {

using tvm::ffi::TensorView;

template <typename T>
void Launch(TensorView x, double factor, TensorView y) {
  const DLDevice device = x.device();
  const auto stream = static_cast<cudaStream_t>(
      TVMFFIEnvGetStream(device.device_type, device.device_id));
  const int code = assay::Scale(static_cast<const T*>(x.data_ptr()),
                                static_cast<float>(factor), x.numel(),
                                static_cast<T*>(y.data_ptr()), stream);
  TVM_FFI_ICHECK_EQ(code, cudaSuccess) << "scale: the launch failed";
}

void ScaleTvmFfi(TensorView x, double factor, TensorView y) {
  if (assay::IsFloat32(x.dtype())) {
    Launch<float>(x, factor, y);
  } else if (assay::IsBfloat16(x.dtype())) {
    Launch<__nv_bfloat16>(x, factor, y);
  } else {
    TVM_FFI_THROW(TypeError) << "scale: x must be float32 or bfloat16";
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, ScaleTvmFfi);
