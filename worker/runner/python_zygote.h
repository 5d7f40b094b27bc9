// The Python process that has imported torch and forks a runner for each
// solution or reference: importing torch takes seconds, a fork milliseconds.
//
//   ASSAY_ASSIGN_OR_RETURN(auto zygote,
//                          PythonZygote::Start(launcher, sandbox, options));
//   ASSAY_ASSIGN_OR_RETURN(auto session, zygote->Fork());
//
// Children of one zygote share its sandbox. References and solutions must not:
// give each of the two a zygote of its own.

#ifndef ASSAY_WORKER_RUNNER_PYTHON_ZYGOTE_H_
#define ASSAY_WORKER_RUNNER_PYTHON_ZYGOTE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "worker/launcher/launcher.h"
#include "worker/runner/restart_limit.h"
#include "worker/runner/session.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

class ZygoteConnection;

struct PythonZygoteOptions {
  // Whose code its children run.
  SandboxUser user = SandboxUser::kSolution;
  // Interpreter whose torch the solutions use.
  std::string python_path = "/usr/bin/python3";
  // Folder of the Python side: holds __main__.py and assay_runner/.
  std::string package_dir;
  // Absolute path of libassay_harness.so.
  std::string harness_path;
  // NAME=value pairs for the zygote and its children. CUDA_VISIBLE_DEVICES
  // among them says that children use a GPU: where the host allows them no
  // /proc of their own they then do without a namespace for process ids, as
  // CUDA needs.
  std::vector<std::string> env;
  // Files or folders that Python needs although the sandbox hides what is
  // around them, such as a virtual environment below a home folder.
  std::vector<std::string> readable_paths;
  // Device files that it uses, such as the GPU's.
  std::vector<std::string> device_paths;
  // Processors to start on; empty: all.
  std::vector<int> cpus;
  // For torch.set_num_threads. 0: as many as the process may use CPUs.
  int torch_threads = 0;
  // False, for debugging: children stay in the zygote's namespaces, see one
  // another and can be attached to. Where the host allows no namespaces it is
  // that way, too.
  bool isolate_children = true;
  // Importing torch from a cold disk takes its time.
  absl::Duration start_timeout = absl::Seconds(120);
  // From the request for a child to its first sign of life.
  absl::Duration fork_timeout = absl::Seconds(20);
  // How often within `restart_window` a zygote that died is replaced.
  int max_restarts = 20;
  absl::Duration restart_window = absl::Minutes(10);
};

// Thread-safe.
class PythonZygote {
 public:
  // Starts the process and waits until torch is imported. FAILED_PRECONDITION
  // with what Python printed when it cannot be. `launcher` must outlive the
  // zygote.
  static absl::StatusOr<std::unique_ptr<PythonZygote>> Start(
      Launcher& launcher, const Sandbox& sandbox, PythonZygoteOptions options);
  ~PythonZygote();

  // A runner in a fresh child. A session may outlive the zygote; its process
  // does not. A zygote that has died is started again first, and logged;
  // UNAVAILABLE when it has died too often of late.
  absl::StatusOr<std::unique_ptr<RunnerSession>> Fork();

  // Ends the process and its children; the next Fork starts it again.
  void Kill();

 private:
  PythonZygote(Launcher& launcher, const Sandbox& sandbox,
               PythonZygoteOptions options);

  absl::StatusOr<std::unique_ptr<RunnerSession>> ForkOnce();
  // A connection to a live zygote.
  absl::StatusOr<std::shared_ptr<ZygoteConnection>> Connection();

  Launcher& launcher_;
  const Sandbox sandbox_;
  const PythonZygoteOptions options_;
  absl::Mutex mutex_;
  std::shared_ptr<ZygoteConnection> connection_ ABSL_GUARDED_BY(mutex_);
  RestartLimit restart_limit_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_PYTHON_ZYGOTE_H_
