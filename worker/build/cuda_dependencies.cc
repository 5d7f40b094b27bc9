#include "worker/build/cuda_dependencies.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "worker/build/option_words.h"

namespace assay {
namespace {

struct Dependency {
  absl::string_view name;
  // Shows that the headers are there.
  absl::string_view header;
  // Without "lib" and ".so"; the second may be empty.
  absl::string_view libraries[2];
};

constexpr Dependency kDependencies[] = {
    {"cublas", "cublas_v2.h", {"cublas", "cublasLt"}},
    {"cuda", "cuda.h", {"cuda", ""}},
    {"cudnn", "cudnn.h", {"cudnn", ""}},
    {"cufft", "cufft.h", {"cufft", ""}},
    {"curand", "curand.h", {"curand", ""}},
    {"cusolver", "cusolverDn.h", {"cusolver", ""}},
    {"cusparse", "cusparse.h", {"cusparse", ""}},
};

constexpr char kCutlass[] = "cutlass";
constexpr char kCutlassHeader[] = "cutlass/cutlass.h";

const Dependency* Find(absl::string_view name) {
  for (const Dependency& dependency : kDependencies) {
    if (dependency.name == name) return &dependency;
  }
  return nullptr;
}

bool Exists(const std::string& path) { return access(path.c_str(), R_OK) == 0; }

absl::Status NotInstalled(absl::string_view name, absl::string_view file,
                          const std::vector<std::string>& folders) {
  return absl::FailedPreconditionError(absl::StrCat(
      "dependency \"", name, "\" is not installed on this worker: there is no ",
      file, " in \"", absl::StrJoin(folders, "\", \""), "\""));
}

// Python packages keep some libraries in folders of their own beside the
// toolkit's: nvidia/cu13 and nvidia/cudnn.
std::string Sibling(const CudaToolkit& toolkit, absl::string_view name) {
  return absl::StrCat(
      std::filesystem::path(toolkit.folder).parent_path().string(), "/", name);
}

std::vector<std::string> HeaderFolders(const CudaLibraryPlaces& places,
                                       absl::string_view name) {
  return {places.toolkit.include_folder(),
          absl::StrCat(Sibling(places.toolkit, name), "/include"),
          absl::StrCat(places.system_root, "/usr/include")};
}

std::vector<std::string> LibraryFolders(const CudaLibraryPlaces& places,
                                        absl::string_view name) {
  std::vector<std::string> folders = places.toolkit.LibraryFolders();
  folders.push_back(absl::StrCat(Sibling(places.toolkit, name), "/lib"));
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64"}) {
    folders.push_back(absl::StrCat(places.system_root, folder));
  }
  return folders;
}

// The toolkit has a stand-in for the driver's library, to be linked on machines
// without the driver.
std::vector<std::string> DriverFolders(const CudaLibraryPlaces& places) {
  std::vector<std::string> folders;
  for (const std::string& folder : places.toolkit.LibraryFolders()) {
    folders.push_back(folder + "/stubs");
  }
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64"}) {
    folders.push_back(absl::StrCat(places.system_root, folder));
  }
  return folders;
}

// libNAME.so, or as Python packages have it libNAME.so.VERSION; empty when
// neither is there.
std::string LibraryIn(const std::string& folder, absl::string_view name) {
  std::string file = absl::StrCat("lib", name, ".so");
  if (Exists(absl::StrCat(folder, "/", file))) return file;
  std::string best;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string candidate = entry.path().filename().string();
    if (!absl::StartsWith(candidate, absl::StrCat(file, "."))) continue;
    // The shortest is the one that programs name.
    if (best.empty() || candidate.size() < best.size() ||
        (candidate.size() == best.size() && candidate < best)) {
      best = candidate;
    }
  }
  return best;
}

void AddOnce(const std::string& word, std::vector<std::string>& words) {
  if (!IsOneOf(word, words)) words.push_back(word);
}

absl::Status AddHeader(const CudaLibraryPlaces& places,
                       const Dependency& dependency,
                       CudaDependencyFlags& flags) {
  const std::vector<std::string> folders =
      HeaderFolders(places, dependency.name);
  for (size_t i = 0; i < folders.size(); ++i) {
    if (!Exists(absl::StrCat(folders[i], "/", dependency.header))) continue;
    // The compiler searches the first and the last by itself.
    if (i == 1) AddOnce(folders[i], flags.include_dirs);
    return absl::OkStatus();
  }
  return NotInstalled(dependency.name, dependency.header, folders);
}

absl::Status AddLibrary(const CudaLibraryPlaces& places,
                        const Dependency& dependency, absl::string_view name,
                        CudaDependencyFlags& flags) {
  const bool is_driver = dependency.name == "cuda";
  const std::vector<std::string> folders =
      is_driver ? DriverFolders(places)
                : LibraryFolders(places, dependency.name);
  for (const std::string& folder : folders) {
    const std::string file = LibraryIn(folder, name);
    if (file.empty()) continue;
    AddOnce(absl::StrCat(folder, "/", file), flags.libraries);
    // The driver's real library is where the loader looks.
    if (!is_driver) AddOnce(folder, flags.run_time_folders);
    return absl::OkStatus();
  }
  return NotInstalled(dependency.name, absl::StrCat("lib", name, ".so"),
                      folders);
}

absl::Status AddCutlass(const std::string& folder, CudaDependencyFlags& flags) {
  if (folder.empty()) {
    return absl::FailedPreconditionError(
        "dependency \"cutlass\" is not installed on this worker: it was "
        "started without ASSAY_CUTLASS_DIR");
  }
  AddOnce(absl::StrCat(folder, "/include"), flags.include_dirs);
  const std::string tools = absl::StrCat(folder, "/tools/util/include");
  if (Exists(tools)) AddOnce(tools, flags.include_dirs);
  AddOnce("--expt-relaxed-constexpr", flags.options);
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckCudaDependency(absl::string_view name) {
  if (name == kCutlass || Find(name) != nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "dependency \"", name, "\" is not known for language cuda; known are ",
      absl::StrJoin(kDependencies, ", ",
                    [](std::string* out, const Dependency& dependency) {
                      absl::StrAppend(out, dependency.name);
                    }),
      " and ", kCutlass));
}

absl::StatusOr<CudaDependencyFlags> ResolveCudaDependencies(
    const CudaLibraryPlaces& places, const std::vector<std::string>& names) {
  CudaDependencyFlags flags;
  for (const std::string& name : names) {
    if (name == kCutlass) {
      ASSAY_RETURN_IF_ERROR(AddCutlass(places.cutlass_dir, flags));
      continue;
    }
    ASSAY_RETURN_IF_ERROR(CheckCudaDependency(name));
    const Dependency& dependency = *Find(name);
    ASSAY_RETURN_IF_ERROR(AddHeader(places, dependency, flags));
    for (absl::string_view library : dependency.libraries) {
      if (library.empty()) continue;
      ASSAY_RETURN_IF_ERROR(AddLibrary(places, dependency, library, flags));
    }
  }
  return flags;
}

absl::StatusOr<std::string> FindCutlass(absl::string_view folder) {
  const char* variable = std::getenv("ASSAY_CUTLASS_DIR");
  std::string wanted(folder);
  if (wanted.empty() && variable != nullptr) wanted = variable;
  if (wanted.empty()) return wanted;
  std::error_code error;
  const std::filesystem::path root = std::filesystem::canonical(wanted, error);
  if (error ||
      !Exists(absl::StrCat(root.string(), "/include/", kCutlassHeader))) {
    return absl::FailedPreconditionError(absl::StrCat(
        "there is no include/", kCutlassHeader, " in \"", wanted,
        "\"; let ASSAY_CUTLASS_DIR name a checkout of CUTLASS, or unset it"));
  }
  return root.string();
}

}  // namespace assay
