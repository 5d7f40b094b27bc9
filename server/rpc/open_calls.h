// Calls that may stay open for long. A server can only shut down after each of
// them has been finished: Stop asks them to.

#ifndef ASSAY_SERVER_RPC_OPEN_CALLS_H_
#define ASSAY_SERVER_RPC_OPEN_CALLS_H_

#include <functional>
#include <memory>
#include <string>
#include <typeindex>
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
    // How many calls of this type one token may have open, calls without a
    // token together.
    virtual int max_open() const { return 4000; }
  };

  // Stops the call at once when the server is stopping, and with
  // RESOURCE_EXHAUSTED when its token has too many open. `token_id` is the
  // token that it was made with; empty: none.
  void Add(const std::shared_ptr<Call>& call, const std::string& token_id);
  void Remove(const Call* call);

  // Stops, with the status, the open calls whose token the predicate refuses.
  // It is called under a lock.
  void StopUnless(const std::function<bool(const std::string&)>& may_stay,
                  const absl::Status& status);

  // Stops the open calls and those that are added from now on.
  void Stop();

 private:
  struct Entry {
    std::weak_ptr<Call> call;
    std::string token_id;
    std::type_index type;
  };
  using Key = std::pair<std::string, std::type_index>;

  absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::flat_hash_map<const Call*, Entry> calls_ ABSL_GUARDED_BY(mutex_);
  // Open calls by token and type.
  absl::flat_hash_map<Key, int> counts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_RPC_OPEN_CALLS_H_
