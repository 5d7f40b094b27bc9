#include "worker/runner/call_timer.h"

#include <time.h>

#include <cstring>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay {

int64_t MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

MaybeFailed CpuCallTimer::Begin() {
  times_.clear();
  return std::nullopt;
}

MaybeFailed CpuCallTimer::Prepare(int64_t flush_bytes) {
  if (flush_bytes <= 0) return std::nullopt;
  if (flush_bytes > flushed_bytes_) {
    flushed_.reset(new (std::nothrow) unsigned char[flush_bytes]);
    flushed_bytes_ = flushed_ == nullptr ? 0 : flush_bytes;
    if (flushed_ == nullptr) {
      return MakeFailed(worker::Failed::INTERNAL,
                        absl::StrCat("no memory for ", flush_bytes,
                                     " bytes that flush the caches"));
    }
  }
  std::memset(flushed_.get(), ++pattern_, static_cast<size_t>(flush_bytes));
  // The compiler must not drop writes that nobody reads.
  asm volatile("" : : "r"(flushed_.get()) : "memory");
  return std::nullopt;
}

void CpuCallTimer::Start() { start_ns_ = MonotonicNs(); }

MaybeFailed CpuCallTimer::Stop() {
  const int64_t elapsed_ns = MonotonicNs() - start_ns_;
  times_.push_back({elapsed_ns, elapsed_ns});
  return std::nullopt;
}

MaybeFailed CpuCallTimer::Finish(std::vector<CallTime>& times) {
  times = std::exchange(times_, {});
  return std::nullopt;
}

}  // namespace assay
