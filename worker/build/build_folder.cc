#include "worker/build/build_folder.h"

#include <cstdint>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "worker/build/disk_use.h"

namespace assay {
namespace {

constexpr int64_t kMaxFileBytes = int64_t{512} << 20;
constexpr int64_t kMaxOpenFiles = 1024;

}  // namespace

absl::Status WriteBuildFolder(const BuildPlan& plan,
                              const std::string& folder) {
  ASSAY_RETURN_IF_ERROR(CreateDirectories(folder + "/tmp"));
  for (const BuildPlan::File& file : plan.files) {
    const std::string path = absl::StrCat(folder, "/src/", file.path);
    ASSAY_RETURN_IF_ERROR(
        CreateDirectories(std::filesystem::path(path).parent_path().string()));
    ASSAY_RETURN_IF_ERROR(WriteFileAtomically(path, file.content));
  }
  return absl::OkStatus();
}

SandboxProfile BuildProfile(const Toolchain& toolchain,
                            const std::string& folder) {
  SandboxProfile profile;
  profile.readable_paths = toolchain.readable_paths();
  profile.writable_paths = {folder};
  profile.working_directory = folder + "/src";
  // Compilers name temporary files by process id, which is the same in every
  // pid namespace: each build has a folder for them.
  profile.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
                         "HOME=/tmp", absl::StrCat("TMPDIR=", folder, "/tmp")};
  profile.limits.file_bytes = kMaxFileBytes;
  profile.limits.open_files = kMaxOpenFiles;
  profile.bounded_folder = folder;
  profile.bounded_folder_bytes = kMaxBuildBytes;
  profile.limits.address_space_bytes = toolchain.memory_bytes();
  return profile;
}

}  // namespace assay
