// Functions with binding `tvm-ffi`, filling and returning, right and wrong.

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cstdint>

namespace {

namespace ffi = tvm::ffi;

constexpr DLDataType kFloat32 = {kDLFloat, 32, 1};
constexpr DLDataType kFloat64 = {kDLFloat, 64, 1};

// y = factor * x
void Scale(ffi::TensorView x, double factor, ffi::TensorView y) {
  const float* from = static_cast<const float*>(x.data_ptr());
  float* to = static_cast<float*>(y.data_ptr());
  for (int64_t i = 0; i < x.size(0); ++i) {
    to[i] = static_cast<float>(factor) * from[i];
  }
}

ffi::Tensor Zeros(ffi::ShapeView shape, DLDataType dtype) {
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, dtype,
                                   DLDevice{kDLCPU, 0});
}

ffi::Tensor ScaleReturned(ffi::TensorView x, double factor) {
  ffi::Tensor y = Zeros(x.shape(), kFloat32);
  Scale(x, factor, y);
  return y;
}

ffi::Array<ffi::Tensor> ScalePair(ffi::TensorView x, double factor) {
  return {ScaleReturned(x, factor), ScaleReturned(x, -factor)};
}

ffi::Tensor WrongShape(ffi::TensorView x, double factor) {
  return Zeros({x.size(0) + 1}, kFloat32);
}

ffi::Tensor WrongDtype(ffi::TensorView x, double factor) {
  return Zeros({x.size(0)}, kFloat64);
}

void Nothing(ffi::TensorView x, double factor) {}

double Sum(ffi::TensorView x, double factor) {
  double sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i) {
    sum += static_cast<const float*>(x.data_ptr())[i];
  }
  return factor * sum;
}

void Throw(ffi::TensorView x, double factor, ffi::TensorView y) {
  TVM_FFI_THROW(ValueError) << "factor " << factor << " is not to my taste";
}

void TwoArguments(ffi::TensorView x, ffi::TensorView y) {}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, Scale);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale_returned, ScaleReturned);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale_pair, ScalePair);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(wrong_shape, WrongShape);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(wrong_dtype, WrongDtype);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(nothing, Nothing);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sum, Sum);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(throws, Throw);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(two_arguments, TwoArguments);
