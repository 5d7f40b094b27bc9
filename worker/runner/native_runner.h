// Starts `assay-runner`, the process that loads a compiled solution.

#ifndef ASSAY_WORKER_RUNNER_NATIVE_RUNNER_H_
#define ASSAY_WORKER_RUNNER_NATIVE_RUNNER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "worker/launcher/launcher.h"
#include "worker/runner/session.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

struct NativeRunnerOptions {
  // Absolute path of the program `assay-runner`.
  std::string runner_path;
  // NAME=value pairs that the solution sees besides PATH, HOME and LANG.
  std::vector<std::string> env;
  // Files or folders that the solution needs although the sandbox hides what is
  // around them, such as the folder of libtvm_ffi.so below a home folder.
  std::vector<std::string> readable_paths;
  // Device files that it uses, such as the GPU's.
  std::vector<std::string> device_paths;
  // Processors to start on; empty: all.
  std::vector<int> cpus;
  // Time from the start to the first sign of life.
  absl::Duration start_timeout = absl::Seconds(10);
};

// One process, in a sandbox of its own, that has loaded nothing yet. `launcher`
// must outlive the session.
absl::StatusOr<std::unique_ptr<RunnerSession>> StartNativeRunner(
    Launcher& launcher, const Sandbox& sandbox,
    const NativeRunnerOptions& options);

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_NATIVE_RUNNER_H_
