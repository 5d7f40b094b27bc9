// g++ for solutions in C++.

#ifndef ASSAY_WORKER_BUILD_GCC_TOOLCHAIN_H_
#define ASSAY_WORKER_BUILD_GCC_TOOLCHAIN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/build/build_plan.h"
#include "worker/build/toolchain.h"
#include "worker/build/torch_toolkit.h"
#include "worker/launcher/launcher.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

struct GccOptions {
  // An absolute path or a name in /usr/local/bin, /usr/bin or /bin.
  std::string cxx;
  // The `tvm_ffi` folder of an installed apache-tvm-ffi package.
  std::string tvm_ffi_dir;
  // For binding `torch`.
  std::optional<TorchToolkit> torch;
  // CUDA's headers, which a torch made for CUDA includes; may be empty.
  std::string cuda_include_dir;
  // Of those headers, "13.0".
  std::string cuda_version;
  int64_t memory_bytes = 0;
};

class GccToolchain final : public Toolchain {
 public:
  // FAILED_PRECONDITION when the compiler or tvm-ffi is missing or does not
  // work.
  static absl::StatusOr<std::unique_ptr<GccToolchain>> Create(
      Launcher& launcher, const Sandbox& sandbox, GccOptions options);

  v1::BuildSpec::Language language() const override {
    return v1::BuildSpec::CPP;
  }
  std::vector<v1::BuildSpec::Binding> bindings() const override;
  std::string Fingerprint(const BuildPlan& plan) const override;
  absl::StatusOr<std::vector<std::string>> Command(
      const BuildPlan& plan, const std::string& library) const override;
  std::vector<std::string> readable_paths() const override;
  int64_t memory_bytes() const override { return options_.memory_bytes; }

 private:
  GccToolchain(GccOptions options, std::string fingerprint)
      : options_(std::move(options)), fingerprint_(std::move(fingerprint)) {}

  const GccOptions options_;
  const std::string fingerprint_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_GCC_TOOLCHAIN_H_
