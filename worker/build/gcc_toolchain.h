// g++ for solutions in C++ that run on the CPU.

#ifndef ASSAY_WORKER_BUILD_GCC_TOOLCHAIN_H_
#define ASSAY_WORKER_BUILD_GCC_TOOLCHAIN_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/build/build_plan.h"
#include "worker/build/toolchain.h"
#include "worker/launcher/launcher.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

class GccToolchain final : public Toolchain {
 public:
  // `cxx` is an absolute path or a name in /usr/local/bin, /usr/bin or /bin.
  // `tvm_ffi_dir` is the `tvm_ffi` folder of an installed apache-tvm-ffi
  // package. FAILED_PRECONDITION when one of them is missing or does not work.
  static absl::StatusOr<std::unique_ptr<GccToolchain>> Create(
      Launcher& launcher, const Sandbox& sandbox, const std::string& cxx,
      const std::string& tvm_ffi_dir);

  const std::string& fingerprint() const override { return fingerprint_; }
  std::vector<std::string> Command(const BuildPlan& plan,
                                   const std::string& library) const override;
  std::vector<std::string> readable_paths() const override;

 private:
  GccToolchain(std::string cxx, std::string tvm_ffi_dir)
      : cxx_(std::move(cxx)), tvm_ffi_dir_(std::move(tvm_ffi_dir)) {}

  const std::string cxx_;
  const std::string tvm_ffi_dir_;
  std::string fingerprint_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_GCC_TOOLCHAIN_H_
