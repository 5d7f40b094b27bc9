// Reads what a kernel needs from a DLTensor. Every tensor is dense and row
// major: the caller guarantees it, so strides are not looked at.
#pragma once

#include <dlpack/dlpack.h>

#include <cstdint>

namespace assay {

template <typename T>
inline T* Data(const DLTensor* tensor) {
  return reinterpret_cast<T*>(static_cast<char*>(tensor->data) +
                              tensor->byte_offset);
}

inline int64_t NumElements(const DLTensor* tensor) {
  int64_t count = 1;
  for (int i = 0; i < tensor->ndim; ++i) count *= tensor->shape[i];
  return count;
}

inline bool IsFloat32(DLDataType dtype) {
  return dtype.code == kDLFloat && dtype.bits == 32;
}

inline bool IsBfloat16(DLDataType dtype) {
  return dtype.code == kDLBfloat && dtype.bits == 16;
}

// What a binding returns. Anything but kOk is reported as a failed call.
enum Code : int { kOk = 0, kUnsupportedDtype = 1, kUnsupportedShape = 2 };

}  // namespace assay
