// The TVM-FFI binding of scale.h: the same kernel behind another door.

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include "dl_tensor.h"
#include "scale.h"

namespace {

using assay::Bf16;
using tvm::ffi::TensorView;

void ScaleTvmFfi(TensorView x, double factor, TensorView y) {
  const float f = static_cast<float>(factor);
  if (assay::IsFloat32(x.dtype())) {
    assay::Scale(static_cast<const float*>(x.data_ptr()), f, x.numel(),
                 static_cast<float*>(y.data_ptr()));
  } else if (assay::IsBfloat16(x.dtype())) {
    assay::Scale(static_cast<const Bf16*>(x.data_ptr()), f, x.numel(),
                 static_cast<Bf16*>(y.data_ptr()));
  } else {
    TVM_FFI_THROW(TypeError) << "scale: x must be float32 or bfloat16";
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, ScaleTvmFfi);
