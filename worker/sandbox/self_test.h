// The worker's test of its own sandbox: runs a program in it that tries what is
// forbidden.
//
//   ASSAY_ASSIGN_OR_RETURN(
//       const std::vector<std::string> leaks,
//       TestSandbox(sandbox, launcher, probe_path, cache_folder));

#ifndef ASSAY_WORKER_SANDBOX_SELF_TEST_H_
#define ASSAY_WORKER_SANDBOX_SELF_TEST_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/launcher/launcher.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

// Runs a command in a sandbox; returns what it printed.
using RunConfined = std::function<absl::StatusOr<std::string>(
    const std::vector<std::string>& command)>;

// What a confined process could do although it must not, each to follow "a
// confined process can": "read a file of the worker". Empty when the sandbox
// holds. `probe` is the path of assay-sandbox-probe; in `folder`, which
// processes must not see, a file is made for it. A Status when it did not get
// as far as an answer.
absl::StatusOr<std::vector<std::string>> TestSandbox(const std::string& probe,
                                                     const std::string& folder,
                                                     const RunConfined& run);

// Runs programs as compilers and compiled solutions run. `launcher` and
// `sandbox` must outlive the result; `probe` becomes visible.
RunConfined InSandbox(Launcher& launcher, const Sandbox& sandbox,
                      const std::string& probe);

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_SELF_TEST_H_
