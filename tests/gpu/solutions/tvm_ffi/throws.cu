// Throws instead of computing.
#include <tvm/ffi/tvm_ffi.h>

namespace {

void Run(tvm::ffi::TensorView x, tvm::ffi::TensorView y) {
  TVM_FFI_THROW(ValueError) << "rows must be odd";
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, Run);
