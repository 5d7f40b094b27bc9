#include "worker/sandbox/group_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/posix.h"

namespace assay {
namespace {

class KernelGroupFiles final : public GroupFiles {
 public:
  absl::StatusOr<std::string> Read(const std::string& path) const override {
    return ReadFile(path);
  }

  absl::Status Write(const std::string& path, absl::string_view text) override {
    const UniqueFd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.valid()) return PosixError(absl::StrCat("opening ", path));
    if (write(file.get(), text.data(), text.size()) < 0) {
      return PosixError(absl::StrCat("writing \"", text, "\" to ", path));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<UniqueFd> OpenMembers(const std::string& group) override {
    const std::string path = absl::StrCat(group, "/cgroup.procs");
    UniqueFd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.valid()) return PosixError(absl::StrCat("opening ", path));
    return file;
  }

  absl::Status MakeGroup(const std::string& group) override {
    if (mkdir(group.c_str(), 0755) == 0) return absl::OkStatus();
    return PosixError(absl::StrCat("making the control group ", group));
  }

  absl::Status RemoveGroup(const std::string& group) override {
    if (rmdir(group.c_str()) == 0) return absl::OkStatus();
    if (errno == EBUSY) {
      return absl::FailedPreconditionError(
          absl::StrCat("the control group ", group, " has members"));
    }
    return PosixError(absl::StrCat("removing the control group ", group));
  }

  std::vector<std::string> GroupsIn(const std::string& group) const override {
    std::vector<std::string> names;
    std::error_code error;
    using Iterator = std::filesystem::directory_iterator;
    for (Iterator entry(group, error); !error && entry != Iterator();
         entry.increment(error)) {
      if (entry->is_directory(error)) {
        names.push_back(entry->path().filename().string());
      }
    }
    return names;
  }
};

}  // namespace

std::unique_ptr<GroupFiles> GroupFiles::OfTheKernel() {
  return std::make_unique<KernelGroupFiles>();
}

}  // namespace assay
