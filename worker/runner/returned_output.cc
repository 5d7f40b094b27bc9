#include "worker/runner/returned_output.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "kernels/measure/element_type.h"
#include "worker/cuda/driver.h"
#include "worker/device/element_type.h"
#include "worker/runner/device_failure.h"

namespace assay {
namespace {

using measure::ElementType;

// BoundMemory has checked the dtype.
ElementType TypeOf(const BoundTensor& slot) {
  return *ToElementType(slot.dtype);
}

bool SameType(DLDataType a, DLDataType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

bool IsContiguous(const DLTensor& tensor) {
  if (tensor.strides == nullptr) return true;
  int64_t stride = 1;
  for (int i = tensor.ndim - 1; i >= 0; --i) {
    if (tensor.shape[i] == 0) return true;
    if (tensor.shape[i] != 1 && tensor.strides[i] != stride) return false;
    stride *= tensor.shape[i];
  }
  return true;
}

MaybeFailed Wrong(worker::Failed::Kind kind, absl::string_view name,
                  const BoundTensor& slot, absl::string_view returned) {
  return MakeFailed(kind, absl::StrCat("output \"", name, "\" must be ",
                                       DescribeTensor(slot.tensor), ", but ",
                                       returned, " was returned"));
}

// Whether a number returned by value can stand for the slot at all.
MaybeFailed CheckValue(absl::string_view kind, bool fits,
                       absl::string_view name, const BoundTensor& slot) {
  if (slot.tensor.ndim != 0) {
    return Wrong(worker::Failed::WRONG_OUTPUTS, name, slot, kind);
  }
  if (!fits) return Wrong(worker::Failed::WRONG_DTYPE, name, slot, kind);
  return std::nullopt;
}

// Writes the one element of the slot, wherever it is.
MaybeFailed StoreElement(const void* element, const BoundTensor& slot) {
  const auto bytes = static_cast<size_t>(slot.bytes);
  if (slot.tensor.device.device_type == kDLCPU) {
    std::memcpy(slot.tensor.data, element, bytes);
    return std::nullopt;
  }
  const absl::StatusOr<const CudaDriver*> cuda = CudaDriver::Load();
  if (!cuda.ok()) return InternalUnlessOk(cuda.status());
  return FailedOnDevice(
      **cuda,
      (*cuda)->cuMemcpyHtoD(reinterpret_cast<CUdeviceptr>(slot.tensor.data),
                            element, bytes));
}

// The same, of a number that is first brought into the slot's dtype.
MaybeFailed StoreNumber(double number, const BoundTensor& slot) {
  unsigned char element[sizeof(double)];
  measure::StoreFromDouble(TypeOf(slot), number, element, 0);
  return StoreElement(element, slot);
}

bool IsFloat(const BoundTensor& slot) {
  return measure::IsFloatingPoint(TypeOf(slot));
}

}  // namespace

MaybeFailed CopyReturnedTensor(const DLTensor& returned, absl::string_view name,
                               const BoundTensor& slot) {
  const DLTensor& want = slot.tensor;
  const std::string description = DescribeTensor(returned);
  if (returned.ndim != want.ndim ||
      !std::equal(returned.shape, returned.shape + returned.ndim, want.shape)) {
    return Wrong(worker::Failed::WRONG_SHAPE, name, slot, description);
  }
  if (!SameType(returned.dtype, want.dtype)) {
    return Wrong(worker::Failed::WRONG_DTYPE, name, slot, description);
  }
  if (returned.device.device_type != want.device.device_type) {
    return Wrong(worker::Failed::WRONG_OUTPUTS, name, slot,
                 absl::StrCat(description, " on another device"));
  }
  if (!IsContiguous(returned)) {
    return Wrong(worker::Failed::WRONG_OUTPUTS, name, slot,
                 absl::StrCat("a non-contiguous ", description));
  }
  const char* data = static_cast<const char*>(returned.data);
  return CopyReturnedBytes(data + returned.byte_offset, slot);
}

MaybeFailed CopyReturnedBytes(const void* returned, const BoundTensor& slot) {
  if (slot.bytes == 0) return std::nullopt;
  const auto bytes = static_cast<size_t>(slot.bytes);
  if (slot.tensor.device.device_type == kDLCPU) {
    // They overlap where a solution returns one of its arguments.
    std::memmove(slot.tensor.data, returned, bytes);
    return std::nullopt;
  }
  const absl::StatusOr<const CudaDriver*> cuda = CudaDriver::Load();
  if (!cuda.ok()) return InternalUnlessOk(cuda.status());
  return FailedOnDevice(
      **cuda,
      (*cuda)->cuMemcpyDtoD(reinterpret_cast<CUdeviceptr>(slot.tensor.data),
                            reinterpret_cast<CUdeviceptr>(returned), bytes));
}

MaybeFailed CopyReturnedFloat(double returned, absl::string_view name,
                              const BoundTensor& slot) {
  if (MaybeFailed failed = CheckValue("a float", IsFloat(slot), name, slot)) {
    return failed;
  }
  return StoreNumber(returned, slot);
}

MaybeFailed CopyReturnedInt(int64_t returned, absl::string_view name,
                            const BoundTensor& slot) {
  const bool fits = slot.dtype != v1::DTYPE_BOOL;
  if (MaybeFailed failed = CheckValue("an int", fits, name, slot)) {
    return failed;
  }
  if (slot.dtype == v1::DTYPE_INT64) return StoreElement(&returned, slot);
  return StoreNumber(static_cast<double>(returned), slot);
}

MaybeFailed CopyReturnedBool(bool returned, absl::string_view name,
                             const BoundTensor& slot) {
  const bool fits = slot.dtype == v1::DTYPE_BOOL;
  if (MaybeFailed failed = CheckValue("a bool", fits, name, slot)) {
    return failed;
  }
  return StoreElement(&returned, slot);
}

}  // namespace assay
