// Calls that may stay open for long. A server can only shut down after each of
// them has been finished: Stop asks them to.

#ifndef ASSAY_SERVER_RPC_OPEN_CALLS_H_
#define ASSAY_SERVER_RPC_OPEN_CALLS_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"

namespace assay {

// Thread-safe.
class OpenCalls {
 public:
  class Call {
   public:
    virtual ~Call() = default;
    // Finishes the call with the status, unless it is finishing already. Must
    // not block.
    virtual void Stop(const absl::Status& status) = 0;
  };

  // Stops the call at once when the server is stopping.
  void Add(const std::shared_ptr<Call>& call);
  void Remove(const Call* call);

  // Stops the open calls and those that are added from now on.
  void Stop();

 private:
  absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::flat_hash_map<const Call*, std::weak_ptr<Call>> calls_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_RPC_OPEN_CALLS_H_
