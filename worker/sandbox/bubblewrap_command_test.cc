#include "worker/sandbox/bubblewrap_command.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "worker/sandbox/sandbox_profile.h"

namespace assay {
namespace {

using Arguments = std::vector<std::string>;

// Position of `part` in `all`; all.size() when it is not there.
size_t Find(const Arguments& all, const Arguments& part) {
  return static_cast<size_t>(
      std::search(all.begin(), all.end(), part.begin(), part.end()) -
      all.begin());
}

bool Contains(const Arguments& all, const Arguments& part) {
  return Find(all, part) != all.size();
}

TEST(BubblewrapCommandTest, EndsWithTheCommand) {
  const Arguments argv =
      BubblewrapCommand("/usr/bin/bwrap", {}, {}, {"/bin/echo", "--bind"});
  EXPECT_EQ(argv.front(), "/usr/bin/bwrap");
  EXPECT_EQ(Arguments(argv.end() - 3, argv.end()),
            (Arguments{"--", "/bin/echo", "--bind"}));
}

TEST(BubblewrapCommandTest, EntersWhereBubblewrapCannotDoIt) {
  SandboxProfile profile;
  profile.enter_path = "/enter";
  profile.working_directory = "/work";
  const auto command = [&profile] {
    const Arguments argv =
        BubblewrapCommand("/bwrap", {}, profile, {"/bin/true"});
    EXPECT_TRUE(Contains(argv, {"--ro-bind", "/enter", "/enter"}));
    EXPECT_TRUE(Contains(argv, {"--as-pid-1"}));
    return Arguments(argv.begin() + Find(argv, {"--"}), argv.end());
  };
  profile.processes = 40;
  EXPECT_EQ(command(), (Arguments{"--", "/enter", "--processes", "40", "/work",
                                  "/bin/true"}));
  profile.user_namespace_fd = 14;
  profile.user_id = 64000;
  EXPECT_EQ(command(), (Arguments{"--", "/enter", "--user", "64000",
                                  "--processes", "40", "/work", "/bin/true"}));
  profile.filter = SeccompKind::kZygote;
  profile.processes = 0;
  EXPECT_EQ(command(), (Arguments{"--", "/enter", "--whole-proc", "--user",
                                  "64000", "/work", "/bin/true"}));
}

TEST(BubblewrapCommandTest, UnsharesEverything) {
  const Arguments argv = BubblewrapCommand("/bwrap", {}, {}, {"/bin/true"});
  EXPECT_TRUE(Contains(argv, {"--unshare-all"}));
  EXPECT_TRUE(Contains(argv, {"--die-with-parent"}));
  EXPECT_TRUE(Contains(argv, {"--new-session"}));
  EXPECT_TRUE(Contains(argv, {"--cap-drop", "ALL"}));
  EXPECT_FALSE(Contains(argv, {"--share-net"}));
  EXPECT_FALSE(Contains(argv, {"--as-pid-1"}));
}

TEST(BubblewrapCommandTest, TheEnvironmentIsClearedBeforeItIsSet) {
  SandboxProfile profile;
  profile.environment = {"PATH=/bin", "EQUALS=a=b", "EMPTY="};
  const Arguments argv =
      BubblewrapCommand("/bwrap", {}, profile, {"/bin/true"});
  EXPECT_TRUE(
      Contains(argv, {"--clearenv", "--setenv", "PATH", "/bin", "--setenv",
                      "EQUALS", "a=b", "--setenv", "EMPTY", ""}));
}

TEST(BubblewrapCommandTest, WhatIsShownComesAfterWhatIsHidden) {
  SandboxProfile profile;
  profile.readable_paths = {"/state/tools"};
  profile.writable_paths = {"/state/build"};
  const Arguments argv =
      BubblewrapCommand("/bwrap", {"/state"}, profile, {"/bin/true"});
  const size_t hidden = Find(argv, {"--tmpfs", "/state"});
  const size_t readable =
      Find(argv, {"--ro-bind", "/state/tools", "/state/tools"});
  const size_t writable =
      Find(argv, {"--bind", "/state/build", "/state/build"});
  EXPECT_LT(hidden, readable);
  EXPECT_LT(hidden, writable);
  EXPECT_LT(readable, argv.size());
  EXPECT_LT(writable, argv.size());
}

TEST(BubblewrapCommandTest, WhatIsHiddenWithinWhatIsShownStaysHidden) {
  SandboxProfile profile;
  profile.readable_paths = {"/opt/python"};
  const Arguments argv = BubblewrapCommand("/bwrap", {"/opt/python/cache"},
                                           profile, {"/bin/true"});
  EXPECT_LT(Find(argv, {"--ro-bind", "/opt/python", "/opt/python"}),
            Find(argv, {"--tmpfs", "/opt/python/cache"}));
}

TEST(BubblewrapCommandTest, TheRootIsClosedLast) {
  SandboxProfile profile;
  profile.readable_paths = {"/opt/python"};
  profile.device_paths = {"/dev/nvidia0"};
  const Arguments argv =
      BubblewrapCommand("/bwrap", {"/state"}, profile, {"/bin/true"});
  const size_t closed = Find(argv, {"--remount-ro", "/"});
  EXPECT_LT(closed, argv.size());
  EXPECT_LT(Find(argv, {"--tmpfs", "/state"}), closed);
  EXPECT_LT(Find(argv, {"--ro-bind", "/opt/python"}), closed);
  EXPECT_LT(Find(argv, {"--dev-bind", "/dev/nvidia0"}), closed);
  EXPECT_FALSE(Contains(argv, {"--ro-bind", "/", "/"}));
}

TEST(BubblewrapCommandTest, ShowsTheDevicesThatWereAskedForAndNoOther) {
  SandboxProfile profile;
  profile.device_paths = {"/dev/nvidia0", "/dev/nvidiactl"};
  const Arguments argv =
      BubblewrapCommand("/bwrap", {}, profile, {"/bin/true"});
  EXPECT_TRUE(
      Contains(argv, {"--dev-bind", "/dev/nvidia0", "/dev/nvidia0",
                      "--dev-bind", "/dev/nvidiactl", "/dev/nvidiactl"}));
  EXPECT_LT(Find(argv, {"--dev", "/dev"}), Find(argv, {"--dev-bind"}));
  EXPECT_FALSE(Contains(BubblewrapCommand("/bwrap", {}, {}, {"/bin/true"}),
                        {"--dev-bind"}));
}

TEST(BubblewrapCommandTest, NamesTheFilterWhenThereIsOne) {
  SandboxProfile profile;
  EXPECT_FALSE(Contains(BubblewrapCommand("/bwrap", {}, profile, {"/bin/true"}),
                        {"--seccomp"}));
  profile.filter_fd = 11;
  EXPECT_TRUE(Contains(BubblewrapCommand("/bwrap", {}, profile, {"/bin/true"}),
                       {"--seccomp", "11"}));
}

TEST(BubblewrapCommandTest, NamesTheStatusDescriptorOnlyWhenAskedTo) {
  SandboxProfile profile;
  EXPECT_FALSE(Contains(BubblewrapCommand("/bwrap", {}, profile, {"/bin/true"}),
                        {"--json-status-fd"}));
  profile.status_fd = 7;
  EXPECT_TRUE(Contains(BubblewrapCommand("/bwrap", {}, profile, {"/bin/true"}),
                       {"--json-status-fd", "7"}));
}

}  // namespace
}  // namespace assay
