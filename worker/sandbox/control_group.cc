#include "worker/sandbox/control_group.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/file.h"
#include "base/log.h"
#include "base/status_macros.h"
#include "worker/sandbox/limit_words.h"

namespace assay {
namespace {

constexpr absl::string_view kControllers[] = {"memory", "pids", "cpu"};
// A kernel without it counts all but processor time, which has other bounds.
constexpr absl::string_view kOptional = "cpu";

// Groups of a worker are named by its process id.
constexpr absl::string_view kWorkerPrefix = "assay-worker-";
constexpr absl::string_view kFolderPrefix = "assay-sandboxes-";

// Members that were killed are gone within this time; memory of a GPU takes
// longest to give back.
constexpr absl::Duration kEndTime = absl::Seconds(10);
constexpr absl::Duration kEndPoll = absl::Milliseconds(5);

// In microseconds, as the kernel has it by default.
constexpr int64_t kCpuPeriod = 100000;

// The number on the line "NAME NUMBER"; 0 when there is none.
int64_t Counter(const absl::StatusOr<std::string>& text,
                absl::string_view name) {
  if (!text.ok()) return 0;
  for (absl::string_view line : absl::StrSplit(*text, '\n')) {
    int64_t count;
    if (absl::ConsumePrefix(&line, name) && absl::ConsumePrefix(&line, " ") &&
        absl::SimpleAtoi(line, &count)) {
      return count;
    }
  }
  return 0;
}

bool HasWord(absl::string_view text, absl::string_view wanted) {
  for (const absl::string_view word :
       absl::StrSplit(text, absl::ByAnyChar(" \n"))) {
    if (word == wanted) return true;
  }
  return false;
}

absl::Status RemoveWhenEmpty(GroupFiles& files, const std::string& group) {
  const absl::Time deadline = absl::Now() + kEndTime;
  absl::Status status = files.RemoveGroup(group);
  while (absl::IsFailedPrecondition(status) && absl::Now() < deadline) {
    absl::SleepFor(kEndPoll);
    status = files.RemoveGroup(group);
  }
  return status;
}

}  // namespace

absl::Status ControlGroup::SetLimits() {
  const auto set = [this](absl::string_view file, const std::string& value) {
    return files_->Write(absl::StrCat(path_, "/", file), value);
  };
  if (limits_.memory_bytes > 0) {
    ASSAY_RETURN_IF_ERROR(
        set("memory.max", absl::StrCat(limits_.memory_bytes)));
    // One alone would leave a solution that is in any state.
    ASSAY_RETURN_IF_ERROR(set("memory.oom.group", "1"));
    // A machine without swapping has no such file.
    set("memory.swap.max", "0").IgnoreError();
  }
  if (limits_.processes > 0) {
    ASSAY_RETURN_IF_ERROR(
        set("pids.max", absl::StrCat(2 * int64_t{limits_.processes})));
  }
  if (limits_.cpus > 0) {
    const auto quota = static_cast<int64_t>(limits_.cpus * kCpuPeriod);
    ASSAY_RETURN_IF_ERROR(set("cpu.max", absl::StrCat(quota, " ", kCpuPeriod)));
  }
  return absl::OkStatus();
}

ControlGroup::~ControlGroup() {
  Kill();
  const absl::Status status = RemoveWhenEmpty(*files_, path_);
  if (!status.ok()) {
    LogError("a control group cannot be removed",
             {{"reason", std::string(status.message())}});
  }
}

absl::StatusOr<UniqueFd> ControlGroup::OpenMembers() const {
  return files_->OpenMembers(path_);
}

absl::Status ControlGroup::Add(const std::vector<pid_t>& pids) {
  for (const pid_t pid : pids) {
    absl::Status status =
        files_->Write(absl::StrCat(path_, "/cgroup.procs"), absl::StrCat(pid));
    if (!status.ok() && kill(pid, 0) == 0) return status;
  }
  return absl::OkStatus();
}

void ControlGroup::Kill() {
  // Before Linux 5.14 there is no such file, and others do the killing.
  files_->Write(absl::StrCat(path_, "/cgroup.kill"), "1").IgnoreError();
}

std::string ControlGroup::LimitHit() const {
  if (limits_.memory_bytes > 0 &&
      Counter(files_->Read(absl::StrCat(path_, "/memory.events")), "oom_kill") >
          0) {
    return MemoryLimitHit(limits_.memory_bytes);
  }
  if (limits_.processes > 0 &&
      Counter(files_->Read(absl::StrCat(path_, "/pids.events")), "max") > 0) {
    return ProcessLimitHit(limits_.processes);
  }
  return "";
}

absl::StatusOr<GroupPlace> GroupPlace::OfThisProcess() {
  ASSAY_ASSIGN_OR_RETURN(const std::string groups,
                         ReadFile("/proc/self/cgroup"));
  ASSAY_ASSIGN_OR_RETURN(const std::string mounts, ReadFile("/proc/mounts"));
  std::string path;
  for (absl::string_view line : absl::StrSplit(groups, '\n')) {
    if (absl::ConsumePrefix(&line, "0::")) path = std::string(line);
  }
  std::string mount;
  for (const absl::string_view line : absl::StrSplit(mounts, '\n')) {
    const std::vector<std::string> fields = absl::StrSplit(line, ' ');
    if (fields.size() > 2 && fields[2] == "cgroup2" && mount.empty()) {
      mount = fields[1];
    }
  }
  if (path.empty() || mount.empty()) {
    return absl::FailedPreconditionError(
        "this machine has none of version 2 at /sys/fs/cgroup");
  }
  if (absl::StartsWith(path, "/..")) {
    return absl::FailedPreconditionError("that of this process is not visible");
  }
  GroupPlace place;
  place.pid = getpid();
  place.own = path == "/" ? mount : absl::StrCat(mount, path);
  // Who is not root was given one group at most.
  if (path != "/" && geteuid() == 0) {
    place.around = place.own.substr(0, place.own.rfind('/'));
  }
  return place;
}

absl::StatusOr<std::unique_ptr<ControlGroups>> ControlGroups::Create(
    std::unique_ptr<GroupFiles> files, const GroupPlace& place) {
  auto groups = absl::WrapUnique(new ControlGroups(std::move(files)));
  absl::Status own = groups->MoveOut(place);
  if (own.ok()) own = groups->Prepare(place.own, place);
  if (own.ok()) return groups;
  if (place.around.empty()) return own;
  const absl::Status around = groups->Prepare(place.around, place);
  if (around.ok()) return groups;
  return absl::FailedPreconditionError(
      absl::StrCat(own.message(), "; ", around.message()));
}

absl::Status ControlGroups::CheckControllers(const std::string& group) const {
  ASSAY_ASSIGN_OR_RETURN(
      const std::string available,
      files_->Read(absl::StrCat(group, "/cgroup.controllers")));
  for (const absl::string_view controller : kControllers) {
    if (controller != kOptional && !HasWord(available, controller)) {
      return absl::FailedPreconditionError(
          absl::StrCat("the control group ", group, " has no controller \"",
                       controller, "\""));
    }
  }
  return absl::OkStatus();
}

absl::Status ControlGroups::MoveOut(const GroupPlace& place) {
  ASSAY_RETURN_IF_ERROR(CheckControllers(place.own));
  // Of all groups it is the root alone that has no type, and may have members
  // beside groups.
  if (!files_->Read(absl::StrCat(place.own, "/cgroup.type")).ok()) {
    return absl::OkStatus();
  }
  const std::string members = absl::StrCat(place.own, "/cgroup.procs");
  ASSAY_ASSIGN_OR_RETURN(const std::string text, files_->Read(members));
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    if (line == absl::StrCat(place.pid)) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "other processes are in this worker's control group ", place.own,
        "; start it as the only one of a group that it may change (systemd: "
        "Delegate=yes)"));
  }
  const std::string leaf =
      absl::StrCat(place.own, "/", kWorkerPrefix, place.pid);
  ASSAY_RETURN_IF_ERROR(files_->MakeGroup(leaf));
  absl::Status status = files_->Write(absl::StrCat(leaf, "/cgroup.procs"),
                                      absl::StrCat(place.pid));
  if (status.ok()) status = EnableControllers(place.own);
  if (status.ok()) return status;
  files_->Write(members, absl::StrCat(place.pid)).IgnoreError();
  files_->RemoveGroup(leaf).IgnoreError();
  return status;
}

absl::Status ControlGroups::EnableControllers(const std::string& group) {
  ASSAY_RETURN_IF_ERROR(CheckControllers(group));
  const std::string path = absl::StrCat(group, "/cgroup.subtree_control");
  ASSAY_ASSIGN_OR_RETURN(const std::string enabled, files_->Read(path));
  for (const absl::string_view controller : kControllers) {
    if (HasWord(enabled, controller)) continue;
    absl::Status status = files_->Write(path, absl::StrCat("+", controller));
    if (!status.ok() && controller != kOptional) return status;
  }
  return absl::OkStatus();
}

absl::Status ControlGroups::Prepare(const std::string& parent,
                                    const GroupPlace& place) {
  ASSAY_RETURN_IF_ERROR(EnableControllers(parent));
  RemoveStale(parent);
  const std::string folder =
      absl::StrCat(parent, "/", kFolderPrefix, place.pid);
  ASSAY_RETURN_IF_ERROR(files_->MakeGroup(folder));
  absl::Status status = EnableControllers(folder);
  if (!status.ok()) {
    files_->RemoveGroup(folder).IgnoreError();
    return status;
  }
  folder_ = folder;
  return absl::OkStatus();
}

void ControlGroups::RemoveStale(const std::string& parent) {
  for (const std::string& name : files_->GroupsIn(parent)) {
    absl::string_view number = name;
    pid_t pid;
    if ((!absl::ConsumePrefix(&number, kFolderPrefix) &&
         !absl::ConsumePrefix(&number, kWorkerPrefix)) ||
        !absl::SimpleAtoi(number, &pid) || kill(pid, 0) == 0 ||
        errno != ESRCH) {
      continue;
    }
    const std::string folder = absl::StrCat(parent, "/", name);
    for (const std::string& group : files_->GroupsIn(folder)) {
      files_->RemoveGroup(absl::StrCat(folder, "/", group)).IgnoreError();
    }
    files_->RemoveGroup(folder).IgnoreError();
  }
}

ControlGroups::~ControlGroups() {
  if (!folder_.empty()) files_->RemoveGroup(folder_).IgnoreError();
}

absl::StatusOr<std::unique_ptr<ControlGroup>> ControlGroups::Make(
    const GroupLimits& limits) {
  const std::string path = absl::StrCat(folder_, "/", made_++);
  ASSAY_RETURN_IF_ERROR(files_->MakeGroup(path));
  auto group = absl::WrapUnique(new ControlGroup(files_, path, limits));
  ASSAY_RETURN_IF_ERROR(group->SetLimits());
  return group;
}

}  // namespace assay
