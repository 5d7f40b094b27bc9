// What a worker is told on its command line.

#ifndef ASSAY_WORKER_WORKER_OPTIONS_H_
#define ASSAY_WORKER_WORKER_OPTIONS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/channel_security.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

struct WorkerOptions {
  // Address of the coordinator: HOST:PORT or unix:/path.
  std::string server = "127.0.0.1:50051";
  // Token and encryption, see base/channel_security.h.
  SecurityFlags security;
  // "cpu", "cuda" (the first GPU) or "cuda:N".
  std::string device = "cpu";
  // Stable id; empty: the host's name and the device.
  std::string id;
  // Folder for the build cache, tensor files and measured references; empty:
  // $XDG_CACHE_HOME/assay or ~/.cache/assay.
  std::string cache_dir;
  SandboxMode sandbox = SandboxMode::kStrict;
  // What a compiler or a solution and all that it starts may use of the host's
  // memory, tensors not counted; 0: half of what there is, at most 32 GiB.
  int64_t sandbox_memory_bytes = 0;
  // Processes and threads of one at a time.
  int sandbox_processes = 512;
  // Seconds of processor time of one, with all that it starts; 0: an hour for
  // each processor that the worker may use.
  int64_t sandbox_cpu_seconds = 0;
  // How many processors' time one may take, where there are control groups; 0:
  // no limit.
  double sandbox_cpus = 0;
  // For a worker that is root: the first of three user ids that nobody else
  // has, for compilers, references and solutions; 0: all run as root without
  // rights.
  uint32_t sandbox_user_id = 64000;
  // Interpreter with torch; empty: /usr/bin/python3 for a CPU, for a GPU the
  // first python3 in PATH.
  std::string python;
  // Threads that torch computes with, in solutions and references alike; 0: as
  // many as there are CPUs. One, since more make times depend on whatever else
  // the machine does.
  int torch_threads = 1;
  // The `tvm_ffi` folder of an apache-tvm-ffi installation; empty:
  // $ASSAY_TVM_FFI_DIR, else the one that came with Assay.
  std::string tvm_ffi_dir;
  // Memory that evaluations may use; 0: three quarters of what is free.
  int64_t memory_bytes = 0;
  // Folder of a CUDA toolkit; empty: see FindCudaToolkit.
  std::string cuda_dir;
  // What GPU times come from: "cupti", "events", or "auto": CUPTI where there
  // is one.
  std::string timer = "auto";
  // Solutions to prepare while the device measures another; -1: on a GPU half
  // as many as there are CPUs, up to 8, on a CPU none.
  int builds_ahead = -1;
};

// A device as the command line names it.
struct DeviceName {
  // "cpu" or "cuda".
  std::string kind;
  int ordinal = 0;
};

// INVALID_ARGUMENT for what is neither "cpu" nor "cuda" nor "cuda:N".
absl::StatusOr<DeviceName> ParseDeviceName(absl::string_view text);

// The interpreter that the options mean, as an absolute path. INVALID_ARGUMENT
// for a relative one, FAILED_PRECONDITION when there is none.
absl::StatusOr<std::string> FindPython(const WorkerOptions& options);

// Leases to hold at a time.
int LeasesAtATime(const WorkerOptions& options, int cpus);

// Files that belong to the worker program.
struct WorkerFiles {
  std::string launcher;
  std::string runner;
  std::string harness;
  // Tries what sandboxes must not allow.
  std::string probe;
  // Makes a program another user's.
  std::string enter;
  // Folder that holds __main__.py.
  std::string python_package;
  std::string tvm_ffi_dir;
  // The one that came with Assay, else a name to look up in PATH.
  std::string bubblewrap;
};

// Finds them: in `libexec/assay` and `share/assay` beside the folder of the
// program, as an installation has them. NOT_FOUND names what is missing.
absl::StatusOr<WorkerFiles> FindWorkerFiles(const WorkerOptions& options);

// `options.sandbox_memory_bytes`, or its default on this machine.
int64_t SandboxMemoryBytes(const WorkerOptions& options);

// `options.sandbox_cpu_seconds`, or its default on this machine.
absl::Duration SandboxCpuTime(const WorkerOptions& options);

// Folder to keep caches in, created when missing.
absl::StatusOr<std::string> CacheDirectory(const WorkerOptions& options);

// `options.id`, or one made of the host's name and the device.
std::string WorkerId(const WorkerOptions& options);

}  // namespace assay

#endif  // ASSAY_WORKER_WORKER_OPTIONS_H_
