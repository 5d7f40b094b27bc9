// The files of Linux's control groups (cgroup v2), as few operations on paths:
// tests have others.

#ifndef ASSAY_WORKER_SANDBOX_GROUP_FILES_H_
#define ASSAY_WORKER_SANDBOX_GROUP_FILES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/fd.h"

namespace assay {

// Thread-safe. Paths are absolute; a group is a folder.
class GroupFiles {
 public:
  virtual ~GroupFiles() = default;

  virtual absl::StatusOr<std::string> Read(const std::string& path) const = 0;
  // In one write, as the kernel wants it.
  virtual absl::Status Write(const std::string& path,
                             absl::string_view text) = 0;
  // For a process to become a member of the group: it writes "0".
  virtual absl::StatusOr<UniqueFd> OpenMembers(const std::string& group) = 0;
  virtual absl::Status MakeGroup(const std::string& group) = 0;
  // FAILED_PRECONDITION while it has members.
  virtual absl::Status RemoveGroup(const std::string& group) = 0;
  // Names of the groups in a group; empty when there is none.
  virtual std::vector<std::string> GroupsIn(const std::string& group) const = 0;

  static std::unique_ptr<GroupFiles> OfTheKernel();
};

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_GROUP_FILES_H_
