// Hands committed changes to those who watch the submission.

#ifndef ASSAY_SERVER_EVALUATION_EVENT_HUB_H_
#define ASSAY_SERVER_EVALUATION_EVENT_HUB_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "server/evaluation/queue_view.h"
#include "server/store/effects.h"

namespace assay {

// Thread-safe.
class EventHub {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    // Called in the order of change_seq, from one thread at a time, without a
    // lock held. Must not block.
    virtual void OnChange(const SubmissionChange& change) = 0;
    // How the queue stands, now and then. From any thread, one at a time.
    virtual void OnQueue(const QueueView& view) = 0;
  };

  // Until it unsubscribes, or the submission is done.
  void Subscribe(const std::string& submission_id,
                 std::weak_ptr<Listener> listener);
  // Fine when it does not listen, and from its destructor.
  void Unsubscribe(const std::string& submission_id,
                   const std::weak_ptr<Listener>& listener);

  // Only from the store's writer.
  void Publish(const std::vector<SubmissionChange>& changes);

  void PublishQueue(const QueueView& view);

  // Submissions that somebody listens to.
  size_t size() const;

 private:
  std::vector<std::shared_ptr<Listener>> ListenersOf(
      const std::string& submission_id);

  mutable absl::Mutex mutex_;
  absl::flat_hash_map<std::string, std::vector<std::weak_ptr<Listener>>>
      listeners_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_EVALUATION_EVENT_HUB_H_
