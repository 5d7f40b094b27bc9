// A solution with binding `c` that behaves as its scalar says:
// (x: float32[n], mode: int64) -> y: float32[n].

#include <dlpack/dlpack.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "worker/runner/c_entry.h"

namespace {

enum Mode : int64_t {
  kDouble,
  kReturnSeven,
  kThrow,
  kSegfault,
  kLoop,
  kExitZero,
  kAbort,
  kPrintMegabyte,
  kCloseControl,
  kWriteGarbage,
  kWriteInput,
  kPrintWithoutNewline,
};

void Double(const DLTensor& x, const DLTensor& y) {
  const float* from = static_cast<const float*>(x.data);
  float* to = static_cast<float*>(y.data);
  for (int64_t i = 0; i < x.shape[0]; ++i) to[i] = 2 * from[i];
}

void PrintMegabyte() {
  const std::string line(1023, 'x');
  for (int i = 0; i < 1024; ++i) std::puts(line.c_str());
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int assay_c_entry(
    const void* const* args, void* stream, char* error, size_t error_bytes) {
  const auto& x = *static_cast<const DLTensor*>(args[0]);
  const int64_t mode = *static_cast<const int64_t*>(args[1]);
  const auto& y = *static_cast<const DLTensor*>(args[2]);
  volatile int* nowhere = nullptr;
  switch (mode) {
    case kReturnSeven:
      return 7;
    case kThrow:
      std::snprintf(error, error_bytes, "out of \xff luck");
      return assay::kCEntryThrew;
    case kSegfault:
      *nowhere = 1;
      break;
    case kLoop:
      for (volatile int64_t i = 0;; i = i + 1) {
      }
    case kExitZero:
      _exit(0);
    case kAbort:
      std::abort();
    case kPrintMegabyte:
      PrintMegabyte();
      break;
    case kCloseControl:
      close(3);
      for (;;) pause();
    case kWriteGarbage:
      if (write(3, "\xff garbage", 9) != 9) return 1;
      break;
    case kWriteInput:
      static_cast<float*>(x.data)[0] = 1;
      break;
    case kPrintWithoutNewline:
      std::printf("no newline");
      break;
    default:
      break;
  }
  Double(x, y);
  return 0;
}
