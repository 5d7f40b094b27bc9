// What a worker is told on its command line.

#ifndef ASSAY_WORKER_WORKER_OPTIONS_H_
#define ASSAY_WORKER_WORKER_OPTIONS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

struct WorkerOptions {
  // Address of the coordinator: HOST:PORT or unix:/path.
  std::string server = "127.0.0.1:50051";
  // Kind of device: "cpu".
  std::string device = "cpu";
  // Stable id; empty: the host's name and the device.
  std::string id;
  // Folder for the build cache, tensor files and measured references; empty:
  // $XDG_CACHE_HOME/assay or ~/.cache/assay.
  std::string cache_dir;
  SandboxMode sandbox = SandboxMode::kStrict;
  // Interpreter with torch.
  std::string python = "/usr/bin/python3";
  // Threads that torch computes with, in solutions and references alike; 0: as
  // many as there are CPUs. One, since more make times depend on whatever else
  // the machine does.
  int torch_threads = 1;
  // The `tvm_ffi` folder of an apache-tvm-ffi installation; empty:
  // $ASSAY_TVM_FFI_DIR, else the one that came with Assay.
  std::string tvm_ffi_dir;
  // Memory that evaluations may use; 0: three quarters of what is free.
  int64_t memory_bytes = 0;
};

// Files that belong to the worker program.
struct WorkerFiles {
  std::string launcher;
  std::string runner;
  std::string harness;
  // Folder that holds __main__.py.
  std::string python_package;
  std::string tvm_ffi_dir;
};

// Finds them: in `libexec/assay` and `share/assay` beside the folder of the
// program, as an installation has them. NOT_FOUND names what is missing.
absl::StatusOr<WorkerFiles> FindWorkerFiles(const WorkerOptions& options);

// Folder to keep caches in, created when missing.
absl::StatusOr<std::string> CacheDirectory(const WorkerOptions& options);

// `options.id`, or one made of the host's name and the device.
std::string WorkerId(const WorkerOptions& options);

}  // namespace assay

#endif  // ASSAY_WORKER_WORKER_OPTIONS_H_
