// What it takes to compile an extension for the torch of a Python interpreter.

#ifndef ASSAY_WORKER_BUILD_TORCH_TOOLKIT_H_
#define ASSAY_WORKER_BUILD_TORCH_TOOLKIT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/launcher/launcher.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

struct TorchToolkit {
  // "2.11.0+cu130".
  std::string version;
  // Whether it can use NVIDIA GPUs.
  bool has_cuda = false;
  // The value of _GLIBCXX_USE_CXX11_ABI that torch was compiled with.
  bool cxx11_abi = true;
  // Folder of Python.h.
  std::string python_include;
  // Folders of torch's headers.
  std::vector<std::string> include_dirs;
  // Folders of torch's libraries.
  std::vector<std::string> library_dirs;

  // Names for the linker.
  std::vector<std::string> Libraries() const;
};

// Asks the interpreter, confined and within a second: torch is found but not
// imported. `readable_paths` are what the interpreter needs beyond the system's
// folders. FAILED_PRECONDITION with the remedy when there is no torch, or one
// without headers.
absl::StatusOr<TorchToolkit> FindTorchToolkit(
    Launcher& launcher, const Sandbox& sandbox, const std::string& python,
    const std::vector<std::string>& readable_paths);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_TORCH_TOOLKIT_H_
