// What one kind of confined process may see and write.

#ifndef ASSAY_WORKER_SANDBOX_SANDBOX_PROFILE_H_
#define ASSAY_WORKER_SANDBOX_SANDBOX_PROFILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "worker/launcher/spawn_options.h"
#include "worker/sandbox/seccomp_filter.h"

namespace assay {

enum class SandboxUser { kBuild, kReference, kSolution };

// All paths are absolute and are the same inside and outside, so that a process
// works unconfined, too.
struct SandboxProfile {
  // Visible beside the system's programs and libraries: files or folders, which
  // must exist.
  std::vector<std::string> readable_paths;
  // Files or folders that may be written; they must exist. Nothing else that
  // outlives the process can be.
  std::vector<std::string> writable_paths;
  // Device files that may be used, beside those that every process has; they
  // must exist.
  std::vector<std::string> device_paths;
  // NAME=value; the whole environment.
  std::vector<std::string> environment;
  std::string working_directory = "/";
  // Bounds of each process inside.
  ProcessLimits limits;
  // What the files below this writable folder may take on the disk together;
  // 0: as much as there is. For Sandbox::Run.
  std::string bounded_folder;
  int64_t bounded_folder_bytes = 0;
  // Which system calls may be made; with device paths also those that drivers
  // need.
  SeccompKind filter = SeccompKind::kProgram;
  // Whose it is: none of them may touch what is another's.
  SandboxUser user = SandboxUser::kBuild;
  // Number of a descriptor of a user namespace, in which programs become the
  // user with this id; unset: they stay the worker's user.
  std::optional<int> user_namespace_fd;
  uint32_t user_id = 65534;
  // What the kernel lets programs have in their user namespace, as processes
  // and threads; 0: as many as outside.
  int processes = 0;
  // The program assay-enter, which these need, as the first process inside;
  // empty: bubblewrap's own.
  std::string enter_path;
  // Number of a descriptor that bubblewrap reads the compiled filter from;
  // unset: no filter.
  std::optional<int> filter_fd;
  // Numbers of descriptors that bubblewrap reads /etc/passwd and /etc/group
  // from; unset: there are none.
  std::optional<int> users_fd;
  std::optional<int> groups_fd;
  // Number of a descriptor, given at the start, on which bubblewrap writes
  // JSON objects about its progress. The program does not get it.
  std::optional<int> status_fd;
};

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_SANDBOX_PROFILE_H_
