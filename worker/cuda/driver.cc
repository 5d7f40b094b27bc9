#include "worker/cuda/driver.h"

#include <dlfcn.h>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr char kLibrary[] = "libcuda.so.1";

// The name of a function as a string after the header has renamed it.
#define ASSAY_NAME_OF(name) ASSAY_NAME_OF_EXPANDED(name)
#define ASSAY_NAME_OF_EXPANDED(name) #name

absl::Status NotAvailable(absl::string_view why) {
  return absl::FailedPreconditionError(
      absl::StrCat("CUDA is not available: ", why));
}

absl::Status FindFunctions(void* library, CudaDriver& driver) {
#define ASSAY_FIND(name)                                                \
  driver.name = reinterpret_cast<decltype(driver.name)>(                \
      dlsym(library, ASSAY_NAME_OF(name)));                             \
  if (driver.name == nullptr) {                                         \
    return NotAvailable(absl::StrCat("the driver has no function ",     \
                                     ASSAY_NAME_OF(name),               \
                                     "; install NVIDIA driver R580 or " \
                                     "later"));                         \
  }
#define ASSAY_FIND_OPTIONAL(name)                        \
  driver.name = reinterpret_cast<decltype(driver.name)>( \
      dlsym(library, ASSAY_NAME_OF(name)));
  ASSAY_CUDA_DRIVER_FUNCTIONS(ASSAY_FIND)
  ASSAY_CUDA_DRIVER_OPTIONAL_FUNCTIONS(ASSAY_FIND_OPTIONAL)
#undef ASSAY_FIND
#undef ASSAY_FIND_OPTIONAL
  return absl::OkStatus();
}

absl::StatusOr<const CudaDriver*> LoadOnce() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return NotAvailable(
        absl::StrCat("NVIDIA's driver is not installed (", dlerror(), ")"));
  }
  static CudaDriver driver;
  ASSAY_RETURN_IF_ERROR(FindFunctions(library, driver));
  const CUresult started = driver.cuInit(0);
  if (started != CUDA_SUCCESS) return NotAvailable(driver.Describe(started));
  int version = 0;
  driver.cuDriverGetVersion(&version);
  if (version < CUDA_VERSION) {
    return NotAvailable(absl::StrCat(
        "the driver is for CUDA ", version / 1000, ".", version % 1000 / 10,
        ", and Assay needs one for ", CUDA_VERSION / 1000, ".",
        CUDA_VERSION % 1000 / 10, "; install NVIDIA driver R580 or later"));
  }
  int count = 0;
  const CUresult counted = driver.cuDeviceGetCount(&count);
  if (counted != CUDA_SUCCESS) return NotAvailable(driver.Describe(counted));
  if (count == 0) return NotAvailable("there is no GPU");
  return &driver;
}

}  // namespace

absl::StatusOr<const CudaDriver*> CudaDriver::Load() {
  static const auto* const loaded =
      new absl::StatusOr<const CudaDriver*>(LoadOnce());
  return *loaded;
}

std::string CudaDriver::Describe(CUresult result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  return absl::StrCat(text != nullptr ? text : "an unknown error", " (",
                      name != nullptr ? name : absl::StrCat(result), ")");
}

absl::Status CudaDriver::Check(CUresult result, absl::string_view what) const {
  if (result == CUDA_SUCCESS) return absl::OkStatus();
  const std::string message = absl::StrCat(what, ": ", Describe(result));
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    return absl::ResourceExhaustedError(message);
  }
  return absl::InternalError(message);
}

}  // namespace assay
