// The TVM-FFI binding of silu_and_mul.h: the same kernel behind another door.

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include "dl_tensor.h"
#include "silu_and_mul.h"

namespace {

using assay::Bf16;
using tvm::ffi::TensorView;

void SiluAndMulTvmFfi(TensorView x, TensorView y) {
  if (!assay::IsBfloat16(x.dtype())) {
    TVM_FFI_THROW(TypeError) << "silu_and_mul: x must be bfloat16";
  }
  assay::SiluAndMul(static_cast<const Bf16*>(x.data_ptr()), y.size(0),
                    y.size(1), static_cast<Bf16*>(y.data_ptr()));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(silu_and_mul, SiluAndMulTvmFfi);
