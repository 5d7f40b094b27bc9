#include "worker/sandbox/control_group.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_testing.h"
#include "worker/sandbox/group_files_testing.h"

namespace assay {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// No process has this id.
constexpr pid_t kWorker = 1 << 30;

// A worker in the group /cg/unit, which it was given.
class ControlGroupTest : public testing::Test {
 protected:
  ControlGroupTest() {
    place_.own = "/cg/unit";
    place_.pid = kWorker;
    AddGroup("/cg", "cpu io memory pids", "");
    AddGroup("/cg/unit", "cpu memory pids", absl::StrCat(kWorker, "\n"));
  }

  void AddGroup(const std::string& group, const std::string& controllers,
                const std::string& members) {
    files_.Set(group + "/cgroup.controllers", controllers + "\n");
    files_.Set(group + "/cgroup.subtree_control", "");
    files_.Set(group + "/cgroup.type", "domain\n");
    files_.Set(group + "/cgroup.procs", members);
  }

  absl::StatusOr<std::unique_ptr<ControlGroups>> Create() {
    return ControlGroups::Create(std::make_unique<FakeGroupFiles>(files_),
                                 place_);
  }

  FakeGroups files_;
  GroupPlace place_;
};

const std::string kFolder = absl::StrCat("/cg/unit/assay-sandboxes-", kWorker);
const std::string kLeaf = absl::StrCat("/cg/unit/assay-worker-", kWorker);

TEST_F(ControlGroupTest, TheWorkerMovesToALeafAndSandboxesGetAFolder) {
  ASSERT_OK_AND_ASSIGN(const auto groups, Create());
  EXPECT_EQ(files_.Get("/cg/unit/cgroup.procs"), "");
  EXPECT_EQ(files_.Get(kLeaf + "/cgroup.procs"), absl::StrCat(kWorker, "\n"));
  EXPECT_EQ(files_.Get("/cg/unit/cgroup.subtree_control"), "memory pids cpu");
  EXPECT_EQ(files_.Get(kFolder + "/cgroup.subtree_control"), "memory pids cpu");
}

TEST_F(ControlGroupTest, LimitsAreTheKernels) {
  ASSERT_OK_AND_ASSIGN(const auto groups, Create());
  ASSERT_OK_AND_ASSIGN(const auto group, groups->Make({64 << 20, 25, 1.5}));
  EXPECT_EQ(files_.Get(kFolder + "/0/memory.max"), "67108864");
  EXPECT_EQ(files_.Get(kFolder + "/0/memory.swap.max"), "0");
  EXPECT_EQ(files_.Get(kFolder + "/0/memory.oom.group"), "1");
  EXPECT_EQ(files_.Get(kFolder + "/0/pids.max"), "50");
  EXPECT_EQ(files_.Get(kFolder + "/0/cpu.max"), "150000 100000");
  ASSERT_OK_AND_ASSIGN(const auto free, groups->Make({}));
  EXPECT_EQ(files_.Get(kFolder + "/1/memory.max"), "");
  EXPECT_EQ(files_.Get(kFolder + "/1/pids.max"), "");
  EXPECT_EQ(files_.Get(kFolder + "/1/cpu.max"), "");
}

TEST_F(ControlGroupTest, TheLimitThatWasHitIsNamed) {
  ASSERT_OK_AND_ASSIGN(const auto groups, Create());
  ASSERT_OK_AND_ASSIGN(const auto group, groups->Make({64 << 20, 25, 0}));
  files_.Set(kFolder + "/0/memory.events", "low 0\nmax 7\noom 1\noom_kill 0\n");
  EXPECT_EQ(group->LimitHit(), "");
  files_.Set(kFolder + "/0/pids.events", "max 3\n");
  EXPECT_EQ(group->LimitHit(),
            "had more than 25 processes and threads at a time, which is the "
            "limit");
  files_.Set(kFolder + "/0/memory.events", "max 7\noom_kill 2\n");
  EXPECT_EQ(group->LimitHit(),
            "used more than 64 MiB of memory, which is the limit");
}

TEST_F(ControlGroupTest, ProcessesBecomeMembersAndEndWithTheGroup) {
  ASSERT_OK_AND_ASSIGN(const auto groups, Create());
  {
    ASSERT_OK_AND_ASSIGN(const auto group, groups->Make({}));
    ASSERT_OK(group->Add({kWorker + 1, kWorker + 2}));
    EXPECT_EQ(files_.Get(kFolder + "/0/cgroup.procs"),
              absl::StrCat(kWorker + 1, "\n", kWorker + 2, "\n"));
    EXPECT_OK(group->OpenMembers());
  }
  absl::MutexLock lock(&files_.mutex);
  EXPECT_THAT(files_.removed, Contains(kFolder + "/0"));
}

TEST_F(ControlGroupTest, NothingIsLeftOfThemButTheWorkersOwn) {
  ASSERT_OK(Create());
  EXPECT_EQ(files_.Get(kFolder + "/cgroup.procs"), "(none)");
}

TEST_F(ControlGroupTest, WhoIsNotAloneIsToldSoAndStaysWhereItIs) {
  AddGroup("/cg/unit", "memory pids", absl::StrCat("12\n", kWorker, "\n"));
  EXPECT_THAT(Create(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("other processes"),
                             HasSubstr("/cg/unit"), HasSubstr("Delegate"))));
  EXPECT_EQ(files_.Get("/cg/unit/cgroup.procs"),
            absl::StrCat("12\n", kWorker, "\n"));
}

TEST_F(ControlGroupTest, RootMakesGroupsBesideItsOwnThen) {
  AddGroup("/cg/unit", "memory pids", absl::StrCat("12\n", kWorker, "\n"));
  place_.around = "/cg";
  ASSERT_OK_AND_ASSIGN(const auto groups, Create());
  ASSERT_OK_AND_ASSIGN(const auto group, groups->Make({1 << 20, 0, 0}));
  EXPECT_EQ(files_.Get(
                absl::StrCat("/cg/assay-sandboxes-", kWorker, "/0/memory.max")),
            "1048576");
}

TEST_F(ControlGroupTest, TheRootMayHaveOtherMembers) {
  FakeGroups files;
  files.Set("/cg/cgroup.controllers", "memory pids");
  files.Set("/cg/cgroup.subtree_control", "memory pids");
  files.Set("/cg/cgroup.procs", absl::StrCat("1\n12\n", kWorker, "\n"));
  place_.own = "/cg";
  ASSERT_OK_AND_ASSIGN(
      const auto groups,
      ControlGroups::Create(std::make_unique<FakeGroupFiles>(files), place_));
  EXPECT_OK(groups->Make({1 << 20, 10, 0}));
  EXPECT_EQ(files.Get("/cg/cgroup.procs"),
            absl::StrCat("1\n12\n", kWorker, "\n"));
}

TEST_F(ControlGroupTest, WithoutControllersThereAreNone) {
  AddGroup("/cg/unit", "memory cpu", absl::StrCat(kWorker, "\n"));
  EXPECT_THAT(Create(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                 HasSubstr("no controller \"pids\"")));
  // As it was.
  EXPECT_EQ(files_.Get("/cg/unit/cgroup.procs"), absl::StrCat(kWorker, "\n"));
  EXPECT_EQ(files_.Get(kLeaf + "/cgroup.procs"), "(none)");
}

TEST_F(ControlGroupTest, ProcessorTimeNeedNotBeCounted) {
  AddGroup("/cg/unit", "memory pids", absl::StrCat(kWorker, "\n"));
  ASSERT_OK_AND_ASSIGN(const auto groups, Create());
  EXPECT_OK(groups->Make({1 << 20, 10, 0}));
  EXPECT_FALSE(groups->Make({0, 0, 1}).ok());
}

TEST_F(ControlGroupTest, GroupsOfAWorkerThatWasKilledAreRemoved) {
  const std::string stale =
      absl::StrCat("/cg/unit/assay-sandboxes-", kWorker + 9);
  const std::string alive = absl::StrCat("/cg/unit/assay-sandboxes-", getpid());
  const std::string leaf = absl::StrCat("/cg/unit/assay-worker-", kWorker + 9);
  for (const std::string& group : {stale, stale + "/3", alive, leaf}) {
    AddGroup(group, "memory pids", "");
  }
  ASSERT_OK_AND_ASSIGN(const auto groups, Create());
  EXPECT_EQ(files_.Get(stale + "/3/cgroup.procs"), "(none)");
  EXPECT_EQ(files_.Get(stale + "/cgroup.procs"), "(none)");
  EXPECT_EQ(files_.Get(leaf + "/cgroup.procs"), "(none)");
  EXPECT_EQ(files_.Get(alive + "/cgroup.procs"), "");
}

// With the kernel's own files, where this process may make groups; controllers
// are not needed for these.
TEST(GroupFilesTest, TheKernelEndsTheMembersOfAGroup) {
  const absl::StatusOr<GroupPlace> place = GroupPlace::OfThisProcess();
  if (!place.ok()) GTEST_SKIP() << place.status();
  const auto files = GroupFiles::OfTheKernel();
  const std::string group = absl::StrCat(place->own, "/assay-test-", getpid());
  const absl::Status made = files->MakeGroup(group);
  if (!made.ok()) GTEST_SKIP() << made;
  EXPECT_THAT(files->GroupsIn(place->own),
              Contains(absl::StrCat("assay-test-", getpid())));
  const pid_t child = fork();
  if (child == 0) {
    while (true) pause();
  }
  ASSERT_OK(files->Write(group + "/cgroup.procs", absl::StrCat(child)));
  EXPECT_THAT(files->Read(group + "/cgroup.procs"),
              IsOkAndHolds(absl::StrCat(child, "\n")));
  EXPECT_THAT(
      files->RemoveGroup(group),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("members")));
  EXPECT_OK(files->Write(group + "/cgroup.kill", "1"));
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_OK(files->RemoveGroup(group));
  EXPECT_THAT(files->GroupsIn(group), IsEmpty());
  EXPECT_THAT(files->OpenMembers(group),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(group)));
}

}  // namespace
}  // namespace assay
