// assay-worker: owns one device and evaluates solutions on it.

#include <sys/prctl.h>
#include <sys/signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "base/log.h"
#include "base/version.h"
#include "worker/worker.h"

namespace assay {
namespace {

// Waits for SIGTERM or SIGINT in a thread of its own: the first asks for a
// graceful stop, the second, or one before there is a worker to stop, ends the
// process at once. Create before any other thread, so that all of them leave
// the signals to this one.
class SignalWaiter {
 public:
  SignalWaiter() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    signal(SIGPIPE, SIG_IGN);
    std::thread([this] { Wait(); }).detach();
  }

  // `worker` lives until the process ends.
  void Stops(Worker& worker) { worker_ = &worker; }

 private:
  [[noreturn]] void Wait() {
    int number;
    sigwait(&signals_, &number);
    if (Worker* worker = worker_; worker != nullptr) {
      LogInfo("stopping after the job at hand; a second signal stops at once");
      worker->Stop();
      sigwait(&signals_, &number);
    }
    _exit(128 + number);
  }

  sigset_t signals_;
  std::atomic<Worker*> worker_ = nullptr;
};

// Ends with the process that started this one, however it ends.
void DieWithParent() {
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have ended just before.
  if (getppid() != parent) _exit(1);
}

// `word` is one that the command line accepts.
SandboxMode SandboxModeFrom(const std::string& word) {
  if (word == "off") return SandboxMode::kOff;
  return word == "strict" ? SandboxMode::kStrict : SandboxMode::kBestEffort;
}

// Exit code for a wrong command line, as sysexits.h has it.
constexpr int kUsage = 64;

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "assay-worker: %s\n",
               std::string(status.message()).c_str());
  return 1;
}

int Main(int argc, char** argv) {
  WorkerOptions options;
  std::string sandbox = "strict";
  bool check = false;
  bool verbose = false;
  bool die_with_parent = false;
  CLI::App app("Owns one device and evaluates solutions on it.",
               "assay-worker");
  app.set_version_flag("--version", std::string("assay-worker ") + kVersion);
  app.add_option("--server", options.server,
                 "Coordinator: HOST:PORT or unix:/path")
      ->envname("ASSAY_SERVER")
      ->capture_default_str();
  app.add_option("--token-file", options.security.token_file,
                 "File with the token to send, for its owner alone to read "
                 "(default: $ASSAY_TOKEN, $ASSAY_TOKEN_FILE or "
                 "~/.config/assay/token)");
  app.add_option("--tls-ca", options.security.tls_ca,
                 "Encrypt, and trust the authorities in the PEM file, or the "
                 "machine's: system (default: $ASSAY_TLS_CA, else none)");
  app.add_option("--tls-cert", options.security.tls_cert,
                 "Own certificate, where the coordinator asks for one "
                 "(default: $ASSAY_TLS_CERT)");
  app.add_option("--tls-key", options.security.tls_key,
                 "Its key (default: $ASSAY_TLS_KEY)");
  app.add_option("--device", options.device,
                 "Device to own: cpu, cuda (the first GPU) or cuda:N")
      ->capture_default_str();
  app.add_option("--id", options.id,
                 "Stable name of this worker (default: host and device)");
  app.add_option("--cache", options.cache_dir,
                 "Folder for builds, tensor files and reference times "
                 "(default: $XDG_CACHE_HOME/assay or ~/.cache/assay)");
  app.add_option("--sandbox", sandbox,
                 "strict: no sandbox, no worker; best-effort: a sandbox where "
                 "the host can give one; off: none, for trusted solutions")
      ->check(CLI::IsMember({"strict", "best-effort", "off"}))
      ->capture_default_str();
  app.add_option("--sandbox-memory-bytes", options.sandbox_memory_bytes,
                 "Host memory that a compiler or a solution, with all that it "
                 "starts, may use beside its tensors (default: half of what "
                 "there is, at most 32 GiB)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--sandbox-processes", options.sandbox_processes,
                 "Processes and threads that one may have at a time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--sandbox-cpu-seconds", options.sandbox_cpu_seconds,
                 "Processor time that one may use altogether, a solution for "
                 "all workloads of a lease (default: an hour for each "
                 "processor)")
      ->check(CLI::PositiveNumber);
  app.add_option("--sandbox-cpus", options.sandbox_cpus,
                 "How many processors' time one may take, such as 1.5; takes "
                 "control groups (default: no limit)")
      ->check(CLI::PositiveNumber);
  app.add_option("--sandbox-user-id", options.sandbox_user_id,
                 "For a worker that is root: first of three user ids that "
                 "nobody else has, which compilers, references and solutions "
                 "run as; 0: they share the worker's user")
      ->capture_default_str();
  app.add_option("--python", options.python,
                 "Python interpreter with torch (default: /usr/bin/python3 for "
                 "a CPU, python3 in PATH for a GPU)");
  app.add_option("--torch-threads", options.torch_threads,
                 "Threads that torch computes with; 0: one for each CPU. More "
                 "than one make times depend on what else the machine does")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--tvm-ffi-dir", options.tvm_ffi_dir,
                 "The tvm_ffi folder of an apache-tvm-ffi installation "
                 "(default: $ASSAY_TVM_FFI_DIR, else the one that came along)");
  app.add_option(
         "--memory-bytes", options.memory_bytes,
         "Memory that evaluations may use (default: 3/4 of what is free)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--cuda", options.cuda_dir,
                 "Folder of the CUDA toolkit to build with (default: "
                 "$CUDA_HOME, $CUDA_PATH or /usr/local/cuda)");
  app.add_option("--timer", options.timer,
                 "What GPU times come from: cupti, events, or auto: CUPTI "
                 "where it is installed")
      ->check(CLI::IsMember({"auto", "cupti", "events"}))
      ->capture_default_str();
  app.add_option("--builds-ahead", options.builds_ahead,
                 "Solutions to prepare while the device measures another "
                 "(default: on a GPU half as many as there are CPUs, at most "
                 "8; on a CPU 0)")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--check", check,
               "Say what this worker is and can do, then exit");
  app.add_flag("--verbose", verbose, "Log more");
  app.add_flag("--die-with-parent", die_with_parent,
               "End when the process that started this one ends");
  // The parser throws, also for --help and --version; nothing gets past here.
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }

  options.sandbox = SandboxModeFrom(sandbox);
  if (verbose) SetLogThreshold(LogSeverity::kDebug);
  if (die_with_parent) DieWithParent();
  SignalWaiter signals;
  const absl::StatusOr<std::unique_ptr<Worker>> worker =
      Worker::Create(options);
  if (!worker.ok()) return Fail(worker.status());
  if (check) {
    std::fputs((*worker)->Describe().c_str(), stdout);
    return 0;
  }
  signals.Stops(**worker);
  const absl::Status status = (*worker)->Run();
  return status.ok() ? 0 : Fail(status);
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Main(argc, argv); }
