#include "worker/runner/native_library.h"

#include <dlfcn.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace assay {

absl::StatusOr<NativeLibrary> NativeLibrary::Load(int fd) {
  const std::string path = absl::StrCat("/proc/self/fd/", fd);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = dlerror();
    return absl::InvalidArgumentError(
        absl::StrCat("the library cannot be loaded: ",
                     absl::StrReplaceAll(why, {{path, "library"}})));
  }
  return NativeLibrary(handle);
}

void* NativeLibrary::Find(const char* symbol) const {
  return dlsym(handle_, symbol);
}

}  // namespace assay
