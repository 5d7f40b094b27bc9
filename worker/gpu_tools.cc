#include "worker/gpu_tools.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/status_macros.h"
#include "worker/build/cuda_architecture.h"
#include "worker/build/cuda_dependencies.h"
#include "worker/build/cuda_toolkit.h"
#include "worker/cuda/find_cupti.h"
#include "worker/cuda/nvml.h"

namespace assay {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The folder that the driver's library was loaded from; empty when unknown.
std::string DriverFolder(const CudaDriver& driver) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(driver.cuInit), &info) == 0) return "";
  return std::filesystem::path(info.dli_fname).parent_path().string();
}

bool IsStandardFolder(const std::string& folder) {
  return absl::StartsWith(folder, "/lib") ||
         absl::StartsWith(folder, "/usr/lib");
}

std::vector<std::string> EnvironmentFor(const CudaContext& context) {
  std::vector<std::string> environment = {
      absl::StrCat("CUDA_VISIBLE_DEVICES=", context.uuid())};
  const std::string folder = DriverFolder(context.driver());
  if (!folder.empty()) {
    // Triton looks for the driver itself.
    environment.push_back(absl::StrCat("TRITON_LIBCUDA_PATH=", folder));
  }
  // Not for standard folders: what else is in them would come before the
  // libraries that torch brings along.
  if (!folder.empty() && !IsStandardFolder(folder)) {
    environment.push_back(absl::StrCat("LD_LIBRARY_PATH=", folder));
  }
  return environment;
}

std::vector<std::string> DeviceFiles(const CudaContext& context) {
  std::vector<std::string> names = {"nvidiactl", "nvidia-uvm",
                                    "nvidia-uvm-tools"};
  const absl::StatusOr<std::unique_ptr<Nvml>> nvml = Nvml::Open(context.uuid());
  const std::optional<int> minor =
      nvml.ok() ? (*nvml)->minor_number() : std::nullopt;
  if (minor.has_value()) {
    names.push_back(absl::StrCat("nvidia", *minor));
  } else {
    // Whichever it is; the environment shows but one.
    for (int i = 0; i < 64; ++i) names.push_back(absl::StrCat("nvidia", i));
  }
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    std::string path = absl::StrCat("/dev/", name);
    if (access(path.c_str(), F_OK) == 0) paths.push_back(std::move(path));
  }
  return paths;
}

absl::StatusOr<std::string> ChooseCupti(const WorkerOptions& options,
                                        const CudaToolkit& toolkit) {
  if (options.timer == "events") return std::string();
  std::vector<std::string> folders = toolkit.LibraryFolders();
  folders.insert(folders.begin(), toolkit.folder + "/extras/CUPTI/lib64");
  std::string path = FindCupti(folders);
  if (!path.empty()) return path;
  const std::string why =
      absl::StrCat("there is no libcupti.so in \"", toolkit.folder, "\"");
  if (options.timer == "cupti") {
    return absl::FailedPreconditionError(
        absl::StrCat(why,
                     "; install it (it comes with CUDA toolkits), or time with "
                     "--timer=events"));
  }
  LogWarning("kernels are timed with CUDA events, which count up to 3 us more",
             {{"reason", why}});
  return path;
}

}  // namespace

absl::StatusOr<GpuTools> FindGpuTools(const WorkerOptions& options,
                                      int ordinal) {
  GpuTools tools;
  ASSAY_ASSIGN_OR_RETURN(tools.context, CudaContext::Open(ordinal));
  const CudaContext& context = *tools.context;
  ASSAY_ASSIGN_OR_RETURN(tools.build.toolkit,
                         FindCudaToolkit(options.cuda_dir));
  ASSAY_ASSIGN_OR_RETURN(
      tools.build.architectures,
      CudaArchitecturesFor(
          Environment("ASSAY_CUDA_ARCH_LIST"),
          context.Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
          context.Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)));
  ASSAY_ASSIGN_OR_RETURN(tools.build.cutlass_dir, FindCutlass(""));
  ASSAY_ASSIGN_OR_RETURN(tools.cupti_path,
                         ChooseCupti(options, tools.build.toolkit));
  tools.environment = EnvironmentFor(context);
  tools.device_paths = DeviceFiles(context);
  const std::string folder = DriverFolder(context.driver());
  if (!folder.empty() && !IsStandardFolder(folder)) {
    tools.readable_paths = {folder};
  }
  return tools;
}

}  // namespace assay
