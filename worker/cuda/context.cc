#include "worker/cuda/context.h"

#include <cstdint>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

std::string FormatUuid(const CUuuid& uuid) {
  const std::string hex =
      absl::BytesToHexString(absl::string_view(uuid.bytes, sizeof(uuid.bytes)));
  const absl::string_view view = hex;
  return absl::StrCat("GPU-", view.substr(0, 8), "-", view.substr(8, 4), "-",
                      view.substr(12, 4), "-", view.substr(16, 4), "-",
                      view.substr(20));
}

absl::StatusOr<std::string> UuidOf(const CudaDriver& cuda, CUdevice device) {
  CUuuid uuid;
  ASSAY_RETURN_IF_ERROR(cuda.Check(cuda.cuDeviceGetUuid(&uuid, device),
                                   "reading the GPU's UUID"));
  return FormatUuid(uuid);
}

absl::StatusOr<int> CountDevices(const CudaDriver& cuda) {
  int count = 0;
  ASSAY_RETURN_IF_ERROR(
      cuda.Check(cuda.cuDeviceGetCount(&count), "counting GPUs"));
  return count;
}

}  // namespace

absl::StatusOr<std::unique_ptr<CudaContext>> CudaContext::Open(int ordinal) {
  ASSAY_ASSIGN_OR_RETURN(const CudaDriver* cuda, CudaDriver::Load());
  ASSAY_ASSIGN_OR_RETURN(const int count, CountDevices(*cuda));
  if (ordinal < 0 || ordinal >= count) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no GPU ", ordinal, "; CUDA sees ", count,
                     count == 1 ? " GPU, number 0" : " GPUs, counted from 0"));
  }
  CUdevice device;
  ASSAY_RETURN_IF_ERROR(
      cuda->Check(cuda->cuDeviceGet(&device, ordinal), "opening the GPU"));
  ASSAY_ASSIGN_OR_RETURN(std::string uuid, UuidOf(*cuda, device));
  CUcontext context = nullptr;
  ASSAY_RETURN_IF_ERROR(
      cuda->Check(cuda->cuDevicePrimaryCtxRetain(&context, device),
                  "creating a context on the GPU"));
  std::unique_ptr<CudaContext> opened(
      new CudaContext(*cuda, device, ordinal, std::move(uuid), context));
  ASSAY_RETURN_IF_ERROR(opened->MakeCurrent());
  return opened;
}

absl::StatusOr<std::unique_ptr<CudaContext>> CudaContext::OpenByUuid(
    absl::string_view uuid) {
  ASSAY_ASSIGN_OR_RETURN(const CudaDriver* cuda, CudaDriver::Load());
  ASSAY_ASSIGN_OR_RETURN(const int count, CountDevices(*cuda));
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice device;
    ASSAY_RETURN_IF_ERROR(
        cuda->Check(cuda->cuDeviceGet(&device, ordinal), "opening the GPU"));
    ASSAY_ASSIGN_OR_RETURN(const std::string found, UuidOf(*cuda, device));
    if (found == uuid) return Open(ordinal);
  }
  return absl::NotFoundError(
      absl::StrCat("there is no GPU with the UUID \"", uuid, "\" here"));
}

CudaContext::~CudaContext() { driver_.cuDevicePrimaryCtxRelease(device_); }

absl::Status CudaContext::MakeCurrent() const {
  return driver_.Check(driver_.cuCtxSetCurrent(context_),
                       "making the GPU's context current");
}

int CudaContext::Attribute(CUdevice_attribute attribute) const {
  int value = 0;
  if (driver_.cuDeviceGetAttribute(&value, attribute, device_) !=
      CUDA_SUCCESS) {
    return 0;
  }
  return value;
}

}  // namespace assay
