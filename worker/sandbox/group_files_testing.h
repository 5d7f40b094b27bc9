// Control groups in memory, with as much of the kernel's rules as matters.

#ifndef ASSAY_WORKER_SANDBOX_GROUP_FILES_TESTING_H_
#define ASSAY_WORKER_SANDBOX_GROUP_FILES_TESTING_H_

#include <fcntl.h>
#include <unistd.h>

#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/mutex.h"
#include "worker/sandbox/control_group.h"
#include "worker/sandbox/group_files.h"

namespace assay {

// The content of the files outlives the GroupFiles that are made of it.
struct FakeGroups {
  absl::Mutex mutex;
  std::map<std::string, std::string> files ABSL_GUARDED_BY(mutex);
  std::vector<std::string> removed ABSL_GUARDED_BY(mutex);

  void Set(const std::string& path, const std::string& content) {
    absl::MutexLock lock(&mutex);
    files[path] = content;
  }
  // "(none)" where there is no such file.
  std::string Get(const std::string& path) {
    absl::MutexLock lock(&mutex);
    const auto found = files.find(path);
    return found == files.end() ? "(none)" : found->second;
  }
};

// A worker that is alone in the group /cg. Its sandboxes are in the groups
// SandboxGroup(0), ...
inline GroupPlace PlaceIn(FakeGroups& groups) {
  groups.Set("/cg/cgroup.controllers", "memory pids");
  groups.Set("/cg/cgroup.subtree_control", "");
  groups.Set("/cg/cgroup.type", "domain\n");
  groups.Set("/cg/cgroup.procs", absl::StrCat(getpid(), "\n"));
  GroupPlace place;
  place.own = "/cg";
  place.pid = getpid();
  return place;
}
inline std::string SandboxGroup(int number) {
  return absl::StrCat("/cg/assay-sandboxes-", getpid(), "/", number);
}

class FakeGroupFiles final : public GroupFiles {
 public:
  explicit FakeGroupFiles(FakeGroups& groups) : groups_(groups) {}

  absl::StatusOr<std::string> Read(const std::string& path) const override {
    absl::MutexLock lock(&groups_.mutex);
    const auto found = groups_.files.find(path);
    if (found == groups_.files.end()) {
      return absl::NotFoundError(absl::StrCat("no file ", path));
    }
    return found->second;
  }

  absl::Status Write(const std::string& path, absl::string_view text) override {
    absl::MutexLock lock(&groups_.mutex);
    const auto found = groups_.files.find(path);
    if (found == groups_.files.end()) {
      return absl::NotFoundError(absl::StrCat("no file ", path));
    }
    std::string& content = found->second;
    const std::string group = path.substr(0, path.rfind('/'));
    if (absl::EndsWith(path, "/cgroup.procs")) {
      for (auto& [other, members] : groups_.files) {
        if (!absl::EndsWith(other, "/cgroup.procs")) continue;
        members = absl::StrCat("\n", members);
        const std::string line = absl::StrCat("\n", text, "\n");
        const size_t at = members.find(line);
        if (at != std::string::npos) members.erase(at + 1, line.size() - 1);
        members.erase(0, 1);
      }
      absl::StrAppend(&content, text, "\n");
    } else if (absl::EndsWith(path, "/cgroup.subtree_control")) {
      // Members are at the leaves.
      if (!groups_.files[group + "/cgroup.procs"].empty()) {
        return absl::FailedPreconditionError(absl::StrCat("busy: ", path));
      }
      absl::ConsumePrefix(&text, "+");
      if (!absl::StrContains(groups_.files[group + "/cgroup.controllers"],
                             text)) {
        return absl::NotFoundError(absl::StrCat("no controller ", text));
      }
      absl::StrAppend(&content, content.empty() ? "" : " ", text);
    } else if (absl::EndsWith(path, "/cgroup.kill")) {
      groups_.files[group + "/cgroup.procs"].clear();
      content = "killed";
    } else {
      content = std::string(text);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<UniqueFd> OpenMembers(const std::string& group) override {
    absl::MutexLock lock(&groups_.mutex);
    if (groups_.files.count(group + "/cgroup.procs") == 0) {
      return absl::NotFoundError(group);
    }
    return UniqueFd(open("/dev/null", O_WRONLY | O_CLOEXEC));
  }

  absl::Status MakeGroup(const std::string& group) override {
    absl::MutexLock lock(&groups_.mutex);
    const std::string parent = group.substr(0, group.rfind('/'));
    const auto enabled = groups_.files.find(parent + "/cgroup.subtree_control");
    if (enabled == groups_.files.end()) {
      return absl::PermissionDeniedError(absl::StrCat("in ", parent));
    }
    const std::string controllers = enabled->second;
    groups_.files[group + "/cgroup.procs"] = "";
    groups_.files[group + "/cgroup.kill"] = "";
    groups_.files[group + "/cgroup.type"] = "domain\n";
    groups_.files[group + "/cgroup.subtree_control"] = "";
    groups_.files[group + "/cgroup.controllers"] = controllers;
    for (const absl::string_view controller :
         absl::StrSplit(controllers, ' ')) {
      if (controller == "memory") {
        for (const char* file : {"max", "swap.max", "oom.group", "events"}) {
          groups_.files[absl::StrCat(group, "/memory.", file)] = "";
        }
      } else if (controller == "pids") {
        groups_.files[group + "/pids.max"] = "";
        groups_.files[group + "/pids.events"] = "max 0\n";
      } else if (controller == "cpu") {
        groups_.files[group + "/cpu.max"] = "";
      }
    }
    return absl::OkStatus();
  }

  absl::Status RemoveGroup(const std::string& group) override {
    absl::MutexLock lock(&groups_.mutex);
    const auto members = groups_.files.find(group + "/cgroup.procs");
    if (members == groups_.files.end()) return absl::NotFoundError(group);
    if (!members->second.empty()) {
      return absl::FailedPreconditionError(absl::StrCat("members: ", group));
    }
    for (auto file = groups_.files.begin(); file != groups_.files.end();) {
      file = absl::StartsWith(file->first, group + "/")
                 ? groups_.files.erase(file)
                 : std::next(file);
    }
    groups_.removed.push_back(group);
    return absl::OkStatus();
  }

  std::vector<std::string> GroupsIn(const std::string& group) const override {
    absl::MutexLock lock(&groups_.mutex);
    std::vector<std::string> names;
    for (const auto& [path, content] : groups_.files) {
      absl::string_view rest = path;
      if (!absl::ConsumePrefix(&rest, group + "/") ||
          !absl::ConsumeSuffix(&rest, "/cgroup.procs") ||
          absl::StrContains(rest, "/")) {
        continue;
      }
      names.emplace_back(rest);
    }
    return names;
  }

 private:
  FakeGroups& groups_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_GROUP_FILES_TESTING_H_
