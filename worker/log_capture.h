// Keeps what a process prints, within bounds.
//
//   ASSAY_ASSIGN_OR_RETURN(auto log, LogCapture::Start());
//   options.fds = {{log->write_fd(), 1}, {log->write_fd(), 2}};
//   ... spawn, wait until the process is over ...
//   std::string text = log->Finish();
//
// The first and the last part are kept: compilers say what is wrong first,
// crashing programs last. What was cut between is counted.

#ifndef ASSAY_WORKER_LOG_CAPTURE_H_
#define ASSAY_WORKER_LOG_CAPTURE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "base/fd.h"

namespace assay {

// Text of any length of which the first `head_bytes` and the last `tail_bytes`
// are kept. Thread-compatible.
class BoundedLog {
 public:
  BoundedLog(size_t head_bytes, size_t tail_bytes)
      : head_bytes_(head_bytes), tail_bytes_(tail_bytes) {}

  void Append(absl::string_view data);

  // Valid UTF-8 without NUL: what is invalid becomes U+FFFD, NUL becomes
  // U+2400. Where bytes were cut there is a line "… 123456 bytes cut …".
  std::string Text() const;

  // Forgets everything so far.
  void Clear();

 private:
  const size_t head_bytes_;
  const size_t tail_bytes_;
  std::string head_;
  // At least the last `tail_bytes_` bytes after the head; trimmed now and then.
  std::string tail_;
  // Bytes seen after the head.
  uint64_t after_head_ = 0;
};

// A pipe with a thread that reads it, so that no writer waits for long.
// Thread-compatible; Snapshot may be called at any time by any thread.
class LogCapture {
 public:
  static constexpr size_t kHeadBytes = 16 << 10;
  static constexpr size_t kTailBytes = 48 << 10;

  static absl::StatusOr<std::unique_ptr<LogCapture>> Start();
  ~LogCapture();

  // For a child's standard output and error. Valid until Finish.
  int write_fd() const { return write_end_.get(); }

  // Ends the capture and returns the text. Whatever a process that is over has
  // printed is in it. Does not wait for processes that still hold the pipe.
  // Later calls return the same text.
  std::string Finish();

  // All that was printed so far, kept or not. For any thread.
  int64_t printed_bytes() const { return printed_bytes_; }

  // The text so far; the capture goes on.
  std::string Snapshot() const;

  // The text since the last Drain, with all that was written before the call.
  // The capture goes on with an empty text.
  std::string Drain();

 private:
  LogCapture(UniqueFd read_end, UniqueFd write_end, UniqueFd stop);

  void ReadLoop();
  // Reads once; false at the end of the pipe, or when nothing is there.
  bool ReadSome();
  // Reads what is there.
  void ReadPipe();

  const UniqueFd read_end_;
  UniqueFd write_end_;
  // Eventfd that tells the thread to take what is there and end.
  const UniqueFd stop_;
  std::atomic<int64_t> printed_bytes_ = 0;
  mutable absl::Mutex mutex_;
  BoundedLog log_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_LOG_CAPTURE_H_
