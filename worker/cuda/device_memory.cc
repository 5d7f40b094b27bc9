#include "worker/cuda/device_memory.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

CUmemAllocationProp Properties(CUdevice device) {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  return properties;
}

// `bytes` in whole pages of the GPU; at least one.
absl::StatusOr<size_t> WholePages(const CudaContext& context, int64_t bytes) {
  const CudaDriver& cuda = context.driver();
  const CUmemAllocationProp properties = Properties(context.device());
  size_t page = 0;
  ASSAY_RETURN_IF_ERROR(
      cuda.Check(cuda.cuMemGetAllocationGranularity(
                     &page, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
                 "reading the size of the GPU's pages"));
  const size_t pages = (static_cast<size_t>(bytes) + page - 1) / page;
  return page * (pages == 0 ? 1 : pages);
}

}  // namespace

absl::StatusOr<DeviceMemory> DeviceMemory::Create(const CudaContext& context,
                                                  int64_t bytes) {
  const CudaDriver& cuda = context.driver();
  DeviceMemory memory;
  memory.context_ = &context;
  memory.size_bytes_ = bytes;
  ASSAY_ASSIGN_OR_RETURN(memory.mapped_bytes_, WholePages(context, bytes));
  const CUmemAllocationProp properties = Properties(context.device());
  ASSAY_RETURN_IF_ERROR(cuda.Check(
      cuda.cuMemCreate(&memory.handle_, memory.mapped_bytes_, &properties, 0),
      absl::StrCat("taking ", bytes, " bytes of the GPU's memory")));
  ASSAY_RETURN_IF_ERROR(memory.Map(/*writable=*/true));
  return memory;
}

absl::StatusOr<DeviceMemory> DeviceMemory::Import(const CudaContext& context,
                                                  int fd, int64_t bytes,
                                                  bool writable) {
  const CudaDriver& cuda = context.driver();
  DeviceMemory memory;
  memory.context_ = &context;
  memory.size_bytes_ = bytes;
  ASSAY_ASSIGN_OR_RETURN(memory.mapped_bytes_, WholePages(context, bytes));
  // The driver takes the number of the descriptor in the place of a pointer.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  auto* handle = reinterpret_cast<void*>(static_cast<intptr_t>(fd));
  ASSAY_RETURN_IF_ERROR(cuda.Check(
      cuda.cuMemImportFromShareableHandle(
          &memory.handle_, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
      "taking over memory of the GPU"));
  ASSAY_RETURN_IF_ERROR(memory.Map(writable));
  return memory;
}

absl::Status DeviceMemory::Map(bool writable) {
  const CudaDriver& cuda = context_->driver();
  ASSAY_RETURN_IF_ERROR(cuda.Check(
      cuda.cuMemAddressReserve(&address_, mapped_bytes_, 0, 0, 0),
      absl::StrCat("reserving ", mapped_bytes_, " bytes of addresses")));
  ASSAY_RETURN_IF_ERROR(
      cuda.Check(cuda.cuMemMap(address_, mapped_bytes_, 0, handle_, 0),
                 "mapping memory of the GPU"));
  is_mapped_ = true;
  CUmemAccessDesc access = {};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = context_->device();
  access.flags = writable ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                          : CU_MEM_ACCESS_FLAGS_PROT_READ;
  return cuda.Check(cuda.cuMemSetAccess(address_, mapped_bytes_, &access, 1),
                    "allowing access to memory of the GPU");
}

absl::StatusOr<UniqueFd> DeviceMemory::Share() const {
  const CudaDriver& cuda = context_->driver();
  int fd = -1;
  ASSAY_RETURN_IF_ERROR(
      cuda.Check(cuda.cuMemExportToShareableHandle(
                     &fd, handle_, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
                 "sharing memory of the GPU"));
  return UniqueFd(fd);
}

void DeviceMemory::Reset() {
  if (context_ == nullptr) return;
  const CudaDriver& cuda = context_->driver();
  if (is_mapped_) cuda.cuMemUnmap(address_, mapped_bytes_);
  if (address_ != 0) cuda.cuMemAddressFree(address_, mapped_bytes_);
  if (handle_ != 0) cuda.cuMemRelease(handle_);
}

void DeviceMemory::Swap(DeviceMemory& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(size_bytes_, other.size_bytes_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  std::swap(handle_, other.handle_);
  std::swap(address_, other.address_);
  std::swap(is_mapped_, other.is_mapped_);
}

}  // namespace assay
