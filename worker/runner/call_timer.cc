#include "worker/runner/call_timer.h"

#include <time.h>

#include <cstring>
#include <new>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

// The worker compares times with its own CLOCK_MONOTONIC: the same clock, lest
// an adjustment of its rate look like a lie.
int64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

}  // namespace

absl::Status CpuCallTimer::Prepare(int64_t flush_bytes) {
  if (flush_bytes <= 0) return absl::OkStatus();
  if (flush_bytes > flushed_bytes_) {
    flushed_.reset(new (std::nothrow) unsigned char[flush_bytes]);
    flushed_bytes_ = flushed_ == nullptr ? 0 : flush_bytes;
    if (flushed_ == nullptr) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "no memory for ", flush_bytes, " bytes that flush the caches"));
    }
  }
  std::memset(flushed_.get(), ++pattern_, static_cast<size_t>(flush_bytes));
  // The compiler must not drop writes that nobody reads.
  asm volatile("" : : "r"(flushed_.get()) : "memory");
  return absl::OkStatus();
}

void CpuCallTimer::Start() { start_ns_ = NowNs(); }

absl::StatusOr<int64_t> CpuCallTimer::Stop() { return NowNs() - start_ns_; }

}  // namespace assay
