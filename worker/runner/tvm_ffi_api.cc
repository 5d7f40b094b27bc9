#include "worker/runner/tvm_ffi_api.h"

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "worker/runner/device_heap.h"

namespace assay {
namespace {

// A tensor on this process's heap, or its GPU's.
struct HeapTensor {
  ~HeapTensor() {
    if (on_gpu) {
      DeviceHeap::OfProcess().Free(data, bytes);
    } else {
      std::free(data);
    }
  }

  DLManagedTensorVersioned managed = {};
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  void* data = nullptr;
  size_t bytes = 0;
  bool on_gpu = false;
};

constexpr size_t kAlignment = 256;

// Bytes of the prototype's elements rounded up to the alignment; 0 when they
// are too many.
size_t AllocationBytes(const DLTensor& prototype) {
  size_t bits = size_t{prototype.dtype.bits} * prototype.dtype.lanes;
  for (int i = 0; i < prototype.ndim; ++i) {
    const int64_t size = prototype.shape[i];
    if (size < 0 || __builtin_mul_overflow(bits, size, &bits)) return 0;
  }
  return (bits / 8 / kAlignment + 1) * kAlignment;
}

// Null when there is not as much.
std::unique_ptr<HeapTensor> Allocate(size_t bytes, bool on_gpu) {
  void* data = nullptr;
  if (on_gpu) {
    data = DeviceHeap::OfProcess().Allocate(bytes).value_or(nullptr);
  } else {
    data = std::aligned_alloc(kAlignment, bytes);
  }
  if (data == nullptr) return nullptr;
  auto tensor = std::make_unique<HeapTensor>();
  tensor->data = data;
  tensor->bytes = bytes;
  tensor->on_gpu = on_gpu;
  return tensor;
}

// A DLPackManagedTensorAllocator.
int AllocateOnHeap(DLTensor* prototype, DLManagedTensorVersioned** out,
                   void* error_context,
                   void (*set_error)(void*, const char*, const char*)) {
  const bool on_gpu = prototype->device.device_type == kDLCUDA;
  if (!on_gpu && prototype->device.device_type != kDLCPU) {
    set_error(error_context, "RuntimeError",
              "tensors can only be created on the CPU or the GPU here");
    return -1;
  }
  const size_t bytes = AllocationBytes(*prototype);
  std::unique_ptr<HeapTensor> tensor =
      bytes == 0 ? nullptr : Allocate(bytes, on_gpu);
  if (tensor == nullptr) {
    set_error(error_context, "MemoryError", "no memory for a tensor");
    return -1;
  }
  tensor->shape.assign(prototype->shape, prototype->shape + prototype->ndim);
  tensor->strides.resize(tensor->shape.size());
  int64_t stride = 1;
  for (size_t i = tensor->shape.size(); i-- > 0;) {
    tensor->strides[i] = stride;
    stride *= tensor->shape[i];
  }
  DLManagedTensorVersioned& managed = tensor->managed;
  managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed.manager_ctx = tensor.get();
  managed.deleter = [](DLManagedTensorVersioned* self) {
    delete static_cast<HeapTensor*>(self->manager_ctx);
  };
  managed.dl_tensor = *prototype;
  managed.dl_tensor.data = tensor->data;
  managed.dl_tensor.shape = tensor->shape.data();
  managed.dl_tensor.strides = tensor->strides.data();
  managed.dl_tensor.byte_offset = 0;
  *out = &tensor.release()->managed;
  return 0;
}

absl::string_view View(const TVMFFIByteArray& bytes) {
  return {bytes.data, bytes.size};
}

// The innermost frame comes first in tvm-ffi's backtraces; readers of Python
// expect it last.
std::string ReverseLines(absl::string_view backtrace) {
  std::vector<absl::string_view> lines =
      absl::StrSplit(backtrace, '\n', absl::SkipEmpty());
  std::reverse(lines.begin(), lines.end());
  std::string text;
  for (const absl::string_view line : lines) absl::StrAppend(&text, line, "\n");
  return text;
}

}  // namespace

TvmFfiApi::TvmFfiApi(const NativeLibrary& library)
    : dec_ref_(library.FindFunction<decltype(dec_ref_)>("TVMFFIObjectDecRef")),
      move_error_(library.FindFunction<decltype(move_error_)>(
          "TVMFFIErrorMoveFromRaised")) {
  using SetAllocator =
      int (*)(DLPackManagedTensorAllocator, int, DLPackManagedTensorAllocator*);
  const auto set_allocator = library.FindFunction<SetAllocator>(
      "TVMFFIEnvSetDLPackManagedTensorAllocator");
  if (set_allocator != nullptr) {
    set_allocator(&AllocateOnHeap, /*write_to_global_context=*/1, nullptr);
  }
}

void TvmFfiApi::Release(TVMFFIAny& value) const {
  if (value.type_index >= kTVMFFIStaticObjectBegin && dec_ref_ != nullptr) {
    dec_ref_(value.v_obj);
  }
  value = {};
}

std::string TvmFfiApi::TakeError() const {
  TVMFFIObjectHandle error = nullptr;
  if (move_error_ != nullptr) move_error_(&error);
  if (error == nullptr) return "the call failed and left no error text";
  const TVMFFIErrorCell& cell = *TVMFFIErrorGetCellPtr(error);
  std::string text = absl::StrCat(ReverseLines(View(cell.backtrace)),
                                  View(cell.kind), ": ", View(cell.message));
  if (dec_ref_ != nullptr) dec_ref_(error);
  return text;
}

}  // namespace assay
