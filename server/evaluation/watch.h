// What one reader of WatchSubmissions gets to see, in which order.
//
// Each submission is first read from the store, then followed through the
// EventHub. Every change has a number, so that the two join without gap or
// repetition. When the reader is too slow for the buffer, its submission is
// read from the store again, from the last number sent: stages that were passed
// meanwhile are lost, outcomes are not.
//
//   auto watch = Watch::Create(ids, store, hub, presence, [] { wake(); });
//   switch (Watch::Next next = watch->Take(); next.kind) { … }

#ifndef ASSAY_SERVER_EVALUATION_WATCH_H_
#define ASSAY_SERVER_EVALUATION_WATCH_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "assay/v1/evaluation_service.pb.h"
#include "server/evaluation/event_hub.h"
#include "server/lease/presence.h"
#include "server/store/store.h"

namespace assay {

// Thread-safe.
class Watch final : public EventHub::Listener,
                    public std::enable_shared_from_this<Watch> {
 public:
  struct Next {
    enum Kind {
      // `event` is the next one.
      kEvent,
      // Nothing now; `on_ready` will be called.
      kWait,
      // No more follows; `status` says how it ended.
      kEnd,
    };
    Kind kind = kWait;
    v1::SubmissionEvent event;
    absl::Status status;
  };

  // Most events that wait for the reader.
  static constexpr size_t kMaxReady = 256;

  // `on_ready` is called on any thread, without a lock, when Take may have
  // something after kWait. The store, the hub and the presence outlive it.
  static std::shared_ptr<Watch> Create(const std::vector<std::string>& ids,
                                       Store& store, EventHub& hub,
                                       const Presence& presence,
                                       std::function<void()> on_ready);
  ~Watch() override;

  Next Take();

  void OnChange(const SubmissionChange& change) override;
  void OnQueue(const QueueView& view) override;

 private:
  struct Submission {
    // Number of the latest change that was put in line.
    int64_t last_change = 0;
    bool introduced = false;
    // Changes come from the hub; else from the store.
    bool live = false;
    // Something changed while it was being read.
    bool stale = false;
    bool done = false;
    // What was said last of its place in the queue.
    v1::QueueStatus queue;
  };
  // A part of what the store knows of one submission.
  struct Reading {
    std::string id;
    v1::Submission submission;
    std::vector<SubmissionChange> changes;
    bool more = false;
  };

  Watch(Store& store, EventHub& hub, const Presence& presence,
        std::function<void()> on_ready)
      : store_(store),
        hub_(hub),
        presence_(presence),
        on_ready_(std::move(on_ready)) {}
  void ReadNext();
  static absl::StatusOr<Reading> Read(Session& session,
                                      const Presence& presence,
                                      const std::string& id, int64_t after);
  void TakeReading(absl::StatusOr<Reading> reading);
  // True when the submission is done.
  bool Line(Reading reading) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Store& store_;
  EventHub& hub_;
  const Presence& presence_;
  const std::function<void()> on_ready_;

  absl::Mutex mutex_;
  absl::flat_hash_map<std::string, Submission> submissions_
      ABSL_GUARDED_BY(mutex_);
  // Those that wait to be read from the store.
  std::deque<std::string> to_read_ ABSL_GUARDED_BY(mutex_);
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<v1::SubmissionEvent> ready_ ABSL_GUARDED_BY(mutex_);
  int64_t sequence_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t unfinished_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_EVALUATION_WATCH_H_
