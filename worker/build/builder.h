// Turns the sources of a compiled solution into a shared library, in a sandbox,
// once: results are cached by everything that could change them.
//
//   ASSAY_ASSIGN_OR_RETURN(auto builder,
//                          Builder::Create(launcher, sandbox, options));
//   ASSAY_ASSIGN_OR_RETURN(
//       BuildResult result,
//       builder->Build(definition, solution, absl::Minutes(5)));

#ifndef ASSAY_WORKER_BUILD_BUILDER_H_
#define ASSAY_WORKER_BUILD_BUILDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/solution.pb.h"
#include "worker/build/cuda_architecture.h"
#include "worker/build/cuda_toolkit.h"
#include "worker/build/torch_toolkit.h"
#include "worker/launcher/launcher.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

struct BuildResult {
  enum Outcome { kBuilt, kCompileError, kTimeout };
  Outcome outcome = kCompileError;
  // The shared library, immutable; only for kBuilt.
  std::string library_path;
  // What the compiler said; for errors also what to do.
  std::string log;
  // True: an earlier build is used.
  bool cached = false;
  // Names the build in the cache: 64 hex digits; empty when it was refused
  // before there was anything to build.
  std::string key;
};

// For solutions in CUDA.
struct CudaBuildOptions {
  // FindCudaToolkit's.
  CudaToolkit toolkit;
  // CudaArchitecturesFor's.
  std::vector<CudaArchitecture> architectures;
  // FindCutlass's; empty: there is none.
  std::string cutlass_dir;
  // As compiler_memory_bytes below: templates of device code take more.
  int64_t compiler_memory_bytes = int64_t{16} << 30;
};

struct BuilderOptions {
  // Folder of the build cache; created when missing.
  std::string cache_dir;
  // The `tvm_ffi` folder of an installed apache-tvm-ffi package; its `include`
  // has DLPack's and tvm-ffi's headers, its `lib` has libtvm_ffi.so.
  std::string tvm_ffi_dir;
  // Looked up in PATH when it has no slash.
  std::string cxx = "g++";
  // Virtual memory of each process of a compiler: an include of /dev/zero, or
  // templates that expand without end, must not take the worker's memory.
  int64_t compiler_memory_bytes = int64_t{4} << 30;
  // Processors for compilers, which then also let everything else go first;
  // empty: all, and they do not.
  std::vector<int> cpus;
  // Without it solutions in CUDA cannot be built.
  std::optional<CudaBuildOptions> cuda;
  // Without it solutions with binding `torch` cannot be built.
  std::optional<TorchToolkit> torch;
};

// Thread-safe; different solutions build at the same time.
class Builder {
 public:
  // Asks the compilers for their versions, and has nvcc build a small library
  // to see that it can: FAILED_PRECONDITION when something is missing or
  // broken. `launcher` and `sandbox` must outlive the builder.
  static absl::StatusOr<std::unique_ptr<Builder>> Create(
      Launcher& launcher, const Sandbox& sandbox,
      const BuilderOptions& options);
  virtual ~Builder() = default;

  // A solution that does not compile is a result; an error is a fault of this
  // machine (disk full, compiler missing). `timeout` is for the compiler alone,
  // which is stopped soon after `is_off`, asked now and then when there is one,
  // is true: CANCELLED.
  virtual absl::StatusOr<BuildResult> Build(
      const v1::Definition& definition, const v1::Solution& solution,
      absl::Duration timeout, const std::function<bool()>& is_off) = 0;
  absl::StatusOr<BuildResult> Build(const v1::Definition& definition,
                                    const v1::Solution& solution,
                                    absl::Duration timeout) {
    return Build(definition, solution, timeout, nullptr);
  }

  // What it can build.
  virtual std::vector<v1::BuildSpec::Language> languages() const = 0;
  virtual std::vector<v1::BuildSpec::Binding> bindings() const = 0;

  // Folders that built libraries load others from and that a sandbox may hide.
  virtual std::vector<std::string> run_time_folders() const = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_BUILDER_H_
