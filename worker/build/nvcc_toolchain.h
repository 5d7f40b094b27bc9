// NVIDIA's compiler for solutions in CUDA.

#ifndef ASSAY_WORKER_BUILD_NVCC_TOOLCHAIN_H_
#define ASSAY_WORKER_BUILD_NVCC_TOOLCHAIN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/build/build_plan.h"
#include "worker/build/cuda_architecture.h"
#include "worker/build/cuda_dependencies.h"
#include "worker/build/toolchain.h"
#include "worker/build/torch_toolkit.h"
#include "worker/launcher/launcher.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

struct NvccOptions {
  // The compiler, and where it finds what solutions depend on.
  CudaLibraryPlaces places;
  // To compile for; at least one.
  std::vector<CudaArchitecture> architectures;
  // The host's compiler: an absolute path or a name in /usr/local/bin, /usr/bin
  // or /bin.
  std::string cxx;
  // The `tvm_ffi` folder of an installed apache-tvm-ffi package.
  std::string tvm_ffi_dir;
  // For binding `torch`.
  std::optional<TorchToolkit> torch;
  int64_t memory_bytes = 0;
};

class NvccToolchain final : public Toolchain {
 public:
  // Builds a small library to see that it can. FAILED_PRECONDITION with what
  // the compiler says when it cannot, when a compiler or tvm-ffi is missing, or
  // when the compiler does not know an architecture.
  static absl::StatusOr<std::unique_ptr<NvccToolchain>> Create(
      Launcher& launcher, const Sandbox& sandbox, NvccOptions options);

  v1::BuildSpec::Language language() const override {
    return v1::BuildSpec::CUDA;
  }
  std::vector<v1::BuildSpec::Binding> bindings() const override;
  std::string Fingerprint(const BuildPlan& plan) const override;
  absl::StatusOr<std::vector<std::string>> Command(
      const BuildPlan& plan, const std::string& library) const override;
  std::vector<std::string> readable_paths() const override;
  int64_t memory_bytes() const override { return options_.memory_bytes; }
  // The host's compiler, as a path.
  const std::string& cxx() const { return options_.cxx; }

 private:
  NvccToolchain(NvccOptions options, std::string fingerprint)
      : options_(std::move(options)), fingerprint_(std::move(fingerprint)) {}

  // What of the command compiles, and what of it links.
  void AddCompiling(const BuildPlan& plan, const CudaDependencyFlags& needs,
                    std::vector<std::string>& command) const;
  void AddLinking(const BuildPlan& plan, const CudaDependencyFlags& needs,
                  std::vector<std::string>& command) const;

  const NvccOptions options_;
  const std::string fingerprint_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_NVCC_TOOLCHAIN_H_
