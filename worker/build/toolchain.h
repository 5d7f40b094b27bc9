// A compiler, as the builder sees it. One implementation for each language.

#ifndef ASSAY_WORKER_BUILD_TOOLCHAIN_H_
#define ASSAY_WORKER_BUILD_TOOLCHAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "assay/v1/solution.pb.h"
#include "worker/build/build_plan.h"

namespace assay {

// Immutable; thread-safe.
class Toolchain {
 public:
  virtual ~Toolchain() = default;

  virtual v1::BuildSpec::Language language() const = 0;

  // Those that it can build for.
  virtual std::vector<v1::BuildSpec::Binding> bindings() const = 0;

  // Names everything about the compiler and this machine that can change what
  // they make of the same plan.
  virtual std::string Fingerprint(const BuildPlan& plan) const = 0;

  // Runs in the folder of the sources and writes `library`, a path relative to
  // it. FAILED_PRECONDITION with a message for the author when this machine
  // lacks what the solution depends on.
  virtual absl::StatusOr<std::vector<std::string>> Command(
      const BuildPlan& plan, const std::string& library) const = 0;

  // Folders that the command reads and that a sandbox may hide.
  virtual std::vector<std::string> readable_paths() const = 0;

  // Virtual memory of each process of the compiler.
  virtual int64_t memory_bytes() const = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_TOOLCHAIN_H_
