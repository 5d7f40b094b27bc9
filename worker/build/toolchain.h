// A compiler, as the builder sees it. One implementation for each language.

#ifndef ASSAY_WORKER_BUILD_TOOLCHAIN_H_
#define ASSAY_WORKER_BUILD_TOOLCHAIN_H_

#include <string>
#include <vector>

#include "worker/build/build_plan.h"

namespace assay {

// Immutable; thread-safe.
class Toolchain {
 public:
  virtual ~Toolchain() = default;

  // Names everything about the compiler and this machine that can change what
  // it makes of the same sources.
  virtual const std::string& fingerprint() const = 0;

  // Runs in the folder of the sources and writes `library`, a path relative to
  // it.
  virtual std::vector<std::string> Command(
      const BuildPlan& plan, const std::string& library) const = 0;

  // Folders that the command reads and that a sandbox may hide.
  virtual std::vector<std::string> readable_paths() const = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_TOOLCHAIN_H_
