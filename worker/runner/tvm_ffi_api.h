// The part of libtvm_ffi.so that the runner needs, looked up in the library
// that a solution linked: the runner itself starts without it.

#ifndef ASSAY_WORKER_RUNNER_TVM_FFI_API_H_
#define ASSAY_WORKER_RUNNER_TVM_FFI_API_H_

#include <tvm/ffi/c_api.h>

#include <string>

#include "worker/runner/native_library.h"

namespace assay {

class TvmFfiApi {
 public:
  TvmFfiApi() = default;
  // Looks the functions up and, where the library has one, lets tensors that
  // solutions create in the environment come from this process's heap, or its
  // GPU's.
  explicit TvmFfiApi(const NativeLibrary& library);

  // Gives up a reference that a call returned.
  void Release(TVMFFIAny& value) const;

  // Takes the error that the last call on this thread raised: "ValueError:
  // text" under its backtrace.
  std::string TakeError() const;

 private:
  int (*dec_ref_)(TVMFFIObjectHandle) = nullptr;
  void (*move_error_)(TVMFFIObjectHandle*) = nullptr;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_TVM_FFI_API_H_
