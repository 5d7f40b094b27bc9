// A control group of its own for each confined process and all that it starts:
// the kernel counts their memory, whatever it is kept in, and their number, at
// all times, and ends them together.
//
//   ASSAY_ASSIGN_OR_RETURN(auto groups, ControlGroups::Create(
//                              GroupFiles::OfTheKernel(), place));
//   ASSAY_ASSIGN_OR_RETURN(auto group, groups->Make(limits));
//   ... start a program as a member ...
//   if (!group->LimitHit().empty()) ... it was stopped because it ...

#ifndef ASSAY_WORKER_SANDBOX_CONTROL_GROUP_H_
#define ASSAY_WORKER_SANDBOX_CONTROL_GROUP_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/fd.h"
#include "worker/sandbox/group_files.h"

namespace assay {

// Of all members together; 0: no limit.
struct GroupLimits {
  // Memory, tensors that the worker filled left out: they are its own. None of
  // it is swapped out.
  int64_t memory_bytes = 0;
  // Processes and threads at a time. The kernel refuses more than twice as
  // many, so that who counts can say that it were more than that.
  int processes = 0;
  // How many processors' time they may take; 0.5 is half of one's.
  double cpus = 0;
};

// Thread-safe.
class ControlGroup {
 public:
  // Ends the members, and removes the group when they are gone.
  ~ControlGroup();
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  // For SpawnOptions::control_group.
  absl::StatusOr<UniqueFd> OpenMembers() const;

  // Makes processes members, with all their threads. What they start from then
  // on is, too. Those that are gone are passed over.
  absl::Status Add(const std::vector<pid_t>& pids);

  // Ends all members, whatever they do meanwhile. Does not wait.
  void Kill();

  // The limit that the kernel saw exceeded, in the words of limit_words.h; else
  // empty.
  std::string LimitHit() const;

 private:
  friend class ControlGroups;
  ControlGroup(std::shared_ptr<GroupFiles> files, std::string path,
               GroupLimits limits)
      : files_(std::move(files)), path_(std::move(path)), limits_(limits) {}

  absl::Status SetLimits();

  const std::shared_ptr<GroupFiles> files_;
  const std::string path_;
  const GroupLimits limits_;
};

// Where this process is among the control groups.
struct GroupPlace {
  // The folder of its own group.
  std::string own;
  // That of the group around it, where this process may make groups beside its
  // own; else empty.
  std::string around;
  pid_t pid = 0;

  // Of this process, from /proc. FAILED_PRECONDITION where there are no control
  // groups of version 2, or its own is not visible.
  static absl::StatusOr<GroupPlace> OfThisProcess();
};

// Thread-safe. What it made may live on; then so does the room for it.
class ControlGroups {
 public:
  // Makes room for groups: in the own group, when it is the root of all or this
  // process is alone there (it then moves into a group in it, for the kernel
  // wants members at the leaves); else in the group around it. Before other
  // processes are started. FAILED_PRECONDITION says why neither can be.
  static absl::StatusOr<std::unique_ptr<ControlGroups>> Create(
      std::unique_ptr<GroupFiles> files, const GroupPlace& place);
  ~ControlGroups();
  ControlGroups(const ControlGroups&) = delete;
  ControlGroups& operator=(const ControlGroups&) = delete;

  absl::StatusOr<std::unique_ptr<ControlGroup>> Make(const GroupLimits& limits);

 private:
  explicit ControlGroups(std::unique_ptr<GroupFiles> files)
      : files_(std::move(files)) {}

  // Makes `folder_` in `parent`, with controllers.
  absl::Status Prepare(const std::string& parent, const GroupPlace& place);
  absl::Status MoveOut(const GroupPlace& place);
  absl::Status CheckControllers(const std::string& group) const;
  absl::Status EnableControllers(const std::string& group);
  // Of workers that were killed.
  void RemoveStale(const std::string& parent);

  const std::shared_ptr<GroupFiles> files_;
  // Holds the groups.
  std::string folder_;
  std::atomic<int64_t> made_ = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_CONTROL_GROUP_H_
