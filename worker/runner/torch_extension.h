// What the build of a solution with binding `torch` and the Python runner agree
// on: the library is a Python module of this name, and the entry point one of
// its attributes. Compile with -DTORCH_EXTENSION_NAME=assay_torch_extension.

#ifndef ASSAY_WORKER_RUNNER_TORCH_EXTENSION_H_
#define ASSAY_WORKER_RUNNER_TORCH_EXTENSION_H_

namespace assay {

// python/assay_runner/entry.py has the same.
inline constexpr char kTorchExtensionName[] = "assay_torch_extension";

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_TORCH_EXTENSION_H_
