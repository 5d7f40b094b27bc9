// The C ABI between a library built with binding `c` and the native runner.
//
// The build adds one function to the library (worker/build/c_binding.h), so
// that the runner can call an entry point of any signature:
//
//   int assay_c_entry(const void* const* args, void* stream, char* error,
//                     size_t error_bytes);
//
// `args` holds one pointer for each input in definition order, then one for
// each output:
// - a tensor, 0-D ones included: its `DLTensor`;
// - a scalar input: its value, stored as
//     float64 -> double, float32 and every narrower float -> float,
//     int64 .. int8 -> int64_t .. int8_t, uint8 -> uint8_t, bool -> bool;
// - a scalar output: a 0-D `DLTensor`.
// `stream` is null. On a GPU that names CUDA's legacy default stream, which
// torch works on as well. Work on other streams is waited for, and timed, like
// work on this one.
// `error` is a buffer of `error_bytes` bytes, at least 1.
//
// Returns what the entry point returned: 0 for success. When it threw, returns
// kCEntryThrew with the exception's text in `error`, cut to fit; in every other
// case `error` is the empty string.

#ifndef ASSAY_WORKER_RUNNER_C_ENTRY_H_
#define ASSAY_WORKER_RUNNER_C_ENTRY_H_

#include <cstddef>

namespace assay {

inline constexpr char kCEntrySymbol[] = "assay_c_entry";

inline constexpr int kCEntryThrew = -0x7a55a7;

using CEntry = int (*)(const void* const* args, void* stream, char* error,
                       size_t error_bytes);

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_C_ENTRY_H_
