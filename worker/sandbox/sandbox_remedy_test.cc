#include "worker/sandbox/sandbox_remedy.h"

#include <gmock/gmock.h>

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Reasons in the words of bubblewrap 0.8.
TEST(SandboxRemedyTest, NamesTheSettingThatIsInTheWay) {
  const struct {
    const char* reason;
    const char* remedy;
  } kCases[] = {
      {"there is no program \"bwrap\"", "the package bubblewrap"},
      {"bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
       "systempaths=unconfined (podman: unmask=ALL)"},
      {"bwrap: Failed to make / slave: Permission denied",
       "apparmor=unconfined"},
      {"bwrap: No permissions to create new namespace, likely because the "
       "kernel does not allow non-privileged user namespaces.",
       "seccomp=unconfined"},
      {"bwrap: Creating new namespace failed: No space left on device",
       "user.max_user_namespaces"},
      {"bwrap: setting up uid map: Permission denied",
       "kernel.apparmor_restrict_unprivileged_userns=0"},
      {"bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
       "kernel.apparmor_restrict_unprivileged_userns=0"},
      {"bwrap: setting up uid map: Operation not permitted", "--user 1000"},
      {"bwrap: something new", "--security-opt seccomp=unconfined"},
      {"bwrap: something new", "kernel.unprivileged_userns_clone=1"},
  };
  for (const auto& [reason, remedy] : kCases) {
    EXPECT_THAT(SandboxRemedy(reason),
                AllOf(HasSubstr(remedy), HasSubstr("--sandbox=best-effort")))
        << reason;
  }
}

}  // namespace
}  // namespace assay
