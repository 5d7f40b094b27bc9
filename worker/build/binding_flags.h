// What the bindings need from a compiler, whichever it is.

#ifndef ASSAY_WORKER_BUILD_BINDING_FLAGS_H_
#define ASSAY_WORKER_BUILD_BINDING_FLAGS_H_

#include <optional>
#include <string>
#include <vector>

#include "assay/v1/solution.pb.h"
#include "worker/build/torch_toolkit.h"

namespace assay {

struct BindingFlags {
  std::vector<std::string> macros;
  std::vector<std::string> include_dirs;
  // Folders with `libraries` when linking and when running.
  std::vector<std::string> library_dirs;
  std::vector<std::string> libraries;
  // Whether the linker can tell what is missing: Python's own functions are
  // found when an extension is loaded.
  bool is_complete = true;
};

// Bindings that solutions can be built for: `torch` when there is one.
std::vector<v1::BuildSpec::Binding> KnownBindings(
    const std::optional<TorchToolkit>& torch);

// `binding` must be one of KnownBindings. `tvm_ffi_dir` is FindTvmFfi's.
BindingFlags FlagsForBinding(v1::BuildSpec::Binding binding,
                             const std::string& tvm_ffi_dir,
                             const std::optional<TorchToolkit>& torch);

// Folders of all bindings that compilers read.
std::vector<std::string> BindingFolders(
    const std::string& tvm_ffi_dir, const std::optional<TorchToolkit>& torch);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_BINDING_FLAGS_H_
