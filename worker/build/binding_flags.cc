#include "worker/build/binding_flags.h"

#include "absl/strings/str_cat.h"
#include "worker/runner/torch_extension.h"

namespace assay {
namespace {

BindingFlags TorchFlags(const TorchToolkit& torch) {
  BindingFlags flags;
  flags.macros = {
      absl::StrCat("TORCH_EXTENSION_NAME=", kTorchExtensionName),
      "TORCH_API_INCLUDE_EXTENSION_H",
      absl::StrCat("_GLIBCXX_USE_CXX11_ABI=", torch.cxx11_abi ? 1 : 0)};
  flags.include_dirs = torch.include_dirs;
  flags.include_dirs.push_back(torch.python_include);
  flags.library_dirs = torch.library_dirs;
  flags.libraries = torch.Libraries();
  flags.is_complete = false;
  return flags;
}

}  // namespace

std::vector<v1::BuildSpec::Binding> KnownBindings(
    const std::optional<TorchToolkit>& torch) {
  std::vector<v1::BuildSpec::Binding> bindings = {v1::BuildSpec::C,
                                                  v1::BuildSpec::TVM_FFI};
  if (torch) bindings.push_back(v1::BuildSpec::TORCH);
  return bindings;
}

BindingFlags FlagsForBinding(v1::BuildSpec::Binding binding,
                             const std::string& tvm_ffi_dir,
                             const std::optional<TorchToolkit>& torch) {
  BindingFlags flags;
  if (binding == v1::BuildSpec::TORCH && torch) flags = TorchFlags(*torch);
  if (binding == v1::BuildSpec::TVM_FFI) {
    flags.library_dirs = {absl::StrCat(tvm_ffi_dir, "/lib")};
    flags.libraries = {"tvm_ffi"};
  }
  // For DLPack's header any binding may want it.
  flags.include_dirs.push_back(absl::StrCat(tvm_ffi_dir, "/include"));
  return flags;
}

std::vector<std::string> BindingFolders(
    const std::string& tvm_ffi_dir, const std::optional<TorchToolkit>& torch) {
  std::vector<std::string> folders = {absl::StrCat(tvm_ffi_dir, "/include"),
                                      absl::StrCat(tvm_ffi_dir, "/lib")};
  if (!torch) return folders;
  folders.push_back(torch->python_include);
  // The others lie below the first.
  folders.push_back(torch->include_dirs.front());
  folders.insert(folders.end(), torch->library_dirs.begin(),
                 torch->library_dirs.end());
  return folders;
}

}  // namespace assay
