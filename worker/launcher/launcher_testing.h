// A running launcher for tests.

#ifndef ASSAY_WORKER_LAUNCHER_LAUNCHER_TESTING_H_
#define ASSAY_WORKER_LAUNCHER_LAUNCHER_TESTING_H_

#include <cstdlib>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "worker/launcher/launcher.h"

namespace assay {

// The launcher built beside the test. Bazel starts tests in the root of their
// runfiles.
inline std::string TestLauncherPath() {
  const char* root = std::getenv("TEST_SRCDIR");
  const char* workspace = std::getenv("TEST_WORKSPACE");
  return absl::StrCat(root != nullptr ? root : ".", "/",
                      workspace != nullptr ? workspace : "assay",
                      "/worker/launcher/assay-launcher");
}

inline absl::StatusOr<std::unique_ptr<Launcher>> StartTestLauncher() {
  return Launcher::Start(TestLauncherPath());
}

}  // namespace assay

#endif  // ASSAY_WORKER_LAUNCHER_LAUNCHER_TESTING_H_
