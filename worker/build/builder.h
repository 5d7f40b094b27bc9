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
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/solution.pb.h"
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
};

// Thread-safe; different solutions build at the same time.
class Builder {
 public:
  // Asks the compiler for its version. `launcher` and `sandbox` must outlive
  // the builder.
  static absl::StatusOr<std::unique_ptr<Builder>> Create(
      Launcher& launcher, const Sandbox& sandbox,
      const BuilderOptions& options);
  virtual ~Builder() = default;

  // A solution that does not compile is a result; an error is a fault of this
  // machine (disk full, compiler missing). `timeout` is for the compiler alone.
  virtual absl::StatusOr<BuildResult> Build(const v1::Definition& definition,
                                            const v1::Solution& solution,
                                            absl::Duration timeout) = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_BUILDER_H_
