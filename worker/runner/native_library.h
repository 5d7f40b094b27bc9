// A shared library loaded from a descriptor.

#ifndef ASSAY_WORKER_RUNNER_NATIVE_LIBRARY_H_
#define ASSAY_WORKER_RUNNER_NATIVE_LIBRARY_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay {

// Borrows the library: it stays loaded until the process ends, because its
// threads, thread-local variables and exit handlers may outlive any object.
class NativeLibrary {
 public:
  // Runs the library's initialisers. INVALID_ARGUMENT with the loader's words.
  static absl::StatusOr<NativeLibrary> Load(int fd);

  // The symbol, in the library or in one that it links; null when there is
  // none.
  void* Find(const char* symbol) const;

  template <typename Function>
  Function FindFunction(const char* symbol) const {
    return reinterpret_cast<Function>(Find(symbol));
  }

 private:
  explicit NativeLibrary(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_NATIVE_LIBRARY_H_
