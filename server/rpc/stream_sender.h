// The sending side of a stream: one message at a time, Finish exactly once and
// after what was sent before it.

#ifndef ASSAY_SERVER_RPC_STREAM_SENDER_H_
#define ASSAY_SERVER_RPC_STREAM_SENDER_H_

#include <cstddef>
#include <deque>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/optional.h"
#include "base/grpc_status.h"

namespace assay {

// For streams on which every message is news.
struct NeverSupersedes {
  template <typename Message>
  bool operator()(const Message&, const Message&) const {
    return false;
  }
};

// `Reactor` is a ServerBidiReactor or ServerWriteReactor, owns the sender and
// passes OnWriteDone on. `Supersedes` says of a message
// and the one that waits before it whether it says all that the other did: then
// it goes in its place. Thread-safe.
template <typename Reactor, typename Message,
          typename Supersedes = NeverSupersedes>
class StreamSender {
 public:
  explicit StreamSender(Reactor& reactor) : reactor_(reactor) {}

  // Dropped after Finish.
  void Send(Message message) {
    {
      absl::MutexLock lock(&mutex_);
      if (final_.has_value()) return;
      if (!waiting_.empty() && Supersedes()(message, waiting_.back())) {
        waiting_.back() = std::move(message);
      } else {
        waiting_.push_back(std::move(message));
      }
    }
    Advance();
  }

  // The first status counts.
  void Finish(const absl::Status& status) {
    {
      absl::MutexLock lock(&mutex_);
      if (final_.has_value()) return;
      final_ = status;
    }
    Advance();
  }

  // Messages that the peer has yet to read.
  size_t backlog() const {
    absl::MutexLock lock(&mutex_);
    return waiting_.size();
  }

  void OnWriteDone(bool ok) {
    {
      absl::MutexLock lock(&mutex_);
      writing_ = false;
      // The peer is gone: nothing more can be sent.
      if (!ok) waiting_.clear();
    }
    Advance();
  }

  // Runs `start`, which starts another operation of the reactor, unless the
  // call is finished: gRPC may free the call under it. gRPC never calls back
  // from within.
  template <typename Start>
  void IfOpen(Start start) {
    absl::MutexLock lock(&mutex_);
    if (!finished_) start();
  }

 private:
  // Starts what is due. Calls gRPC without the lock; `writing_` and
  // `finished_` keep a second caller away.
  void Advance() {
    absl::optional<absl::Status> finish;
    {
      absl::MutexLock lock(&mutex_);
      if (writing_ || finished_) return;
      if (!waiting_.empty()) {
        current_ = std::move(waiting_.front());
        waiting_.pop_front();
        writing_ = true;
      } else if (final_.has_value()) {
        finished_ = true;
        finish = final_;
      } else {
        return;
      }
    }
    // After Finish the reactor may be gone.
    if (finish.has_value()) {
      reactor_.Finish(ToGrpcStatus(*finish));
    } else {
      reactor_.StartWrite(&current_);
    }
  }

  Reactor& reactor_;
  mutable absl::Mutex mutex_;
  std::deque<Message> waiting_ ABSL_GUARDED_BY(mutex_);
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  absl::optional<absl::Status> final_ ABSL_GUARDED_BY(mutex_);
  // Belongs to gRPC while `writing_`.
  Message current_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_RPC_STREAM_SENDER_H_
