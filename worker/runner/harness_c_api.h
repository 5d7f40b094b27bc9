// The harness for programs that are not C++: libassay_harness.so, which the
// Python runner loads with ctypes (python/assay_runner/harness.py mirrors these
// structures).
//
// All that a callback is given is valid until it returns, but the memory of
// tensors: that is valid until the next `bind` has returned.

#ifndef ASSAY_WORKER_RUNNER_HARNESS_C_API_H_
#define ASSAY_WORKER_RUNNER_HARNESS_C_API_H_

#include <stddef.h>
#include <stdint.h>

extern "C" {

struct AssayFile {
  const char* path;
  const char* content;
  size_t content_bytes;
};

struct AssayParameter {
  const char* name;
  // As in assay.v1.DType: "DTYPE_FLOAT32".
  const char* dtype;
  int32_t is_scalar;
};

struct AssaySetUp {
  // The GPU, as CUDA counts in this process. Its context is current.
  int32_t cuda_ordinal;
};

struct AssayLoad {
  // Of a compiled Python module (torch_extension.h), in place of files; else
  // -1. Closed when the callback has returned.
  int32_t module_fd;
  const char* entry_file;
  const char* symbol;
  int32_t destination_passing;
  const AssayParameter* inputs;
  size_t input_count;
  const AssayParameter* outputs;
  size_t output_count;
  const AssayFile* files;
  size_t file_count;
};

// Contiguous; on the GPU that was set up, else on the CPU.
struct AssayTensor {
  void* data;
  int64_t bytes;
  const char* dtype;
  const int64_t* shape;
  size_t ndim;
};

enum AssayValueKind {
  kAssayTensor = 0,
  kAssayInt = 1,
  kAssayFloat = 2,
  kAssayBool = 3,
};

struct AssayValue {
  // An AssayValueKind; says which of the members below counts. A bool is in
  // `int_value`.
  int32_t kind;
  AssayTensor tensor;
  int64_t int_value;
  double float_value;
};

struct AssayValues {
  const AssayValue* values;
  size_t count;
};

struct AssayBind {
  // Per draw, the inputs.
  const AssayValues* draws;
  size_t draw_count;
  // Per slot, the outputs.
  const AssayValues* slots;
  size_t slot_count;
};

// Where a callback reports that it failed.
struct AssayFailure;

// `set_up` comes first where there is a GPU to work on; `load` and `bind` are
// as the methods of LoadedSolution (loaded_solution.h). `call` is the timed
// part. It returns 0 when it failed, and `explain` is asked why. Otherwise
// nothing of the solution's language runs before the next callback: a solution
// that returns outputs leaves in `returned`, for each, the address of as many
// bytes as its place in the slot has, on the same device and valid until then.
struct AssayCallbacks {
  void (*set_up)(const AssaySetUp* set_up, AssayFailure* failure);
  void (*load)(const AssayLoad* load, AssayFailure* failure);
  void (*bind)(const AssayBind* bind, AssayFailure* failure);
  int32_t (*call)(int64_t draw, int64_t slot, const void** returned);
  void (*explain)(AssayFailure* failure);
};

// Makes the callback's outcome a failure; the last one counts. `kind` is a name
// of worker.Failed.Kind: "LOAD", "RAISED", "WRONG_SHAPE", ...
__attribute__((visibility("default"))) void assay_harness_fail(
    AssayFailure* failure, const char* kind, const char* text, size_t bytes);

// Serves on the control socket `fd`, which it takes over, until the worker
// hangs up: returns 0. Another result is an error, told on standard error.
__attribute__((visibility("default"))) int assay_harness_serve(
    int fd, const AssayCallbacks* callbacks);

}  // extern "C"

#endif  // ASSAY_WORKER_RUNNER_HARNESS_C_API_H_
