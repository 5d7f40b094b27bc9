// Gives up the calls of a client from another thread, as on Ctrl-C.
//
//   Cancellation cancellation;
//   Client::Options options;
//   options.cancellation = &cancellation;
//   // elsewhere:
//   cancellation.Cancel();
//
// Thread-safe.

#ifndef ASSAY_CLIENT_CANCELLATION_H_
#define ASSAY_CLIENT_CANCELLATION_H_

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace grpc {
class ClientContext;
}  // namespace grpc

namespace assay {

class Cancellation {
 public:
  Cancellation() = default;
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

  // Every call under way, and every later one, ends with CANCELLED.
  void Cancel();
  // Later calls are carried out again, e.g. those that tidy up.
  void Reset();
  bool cancelled() const;

  // Waits. False when it was cancelled meanwhile or before.
  bool Sleep(absl::Duration duration) const;

  // Ties a call to a cancellation for as long as it lives. `cancellation` may
  // be null, and outlives it otherwise.
  class Scope {
   public:
    Scope(Cancellation* cancellation, grpc::ClientContext& context);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Cancellation* const cancellation_;
    grpc::ClientContext& context_;
  };

 private:
  mutable absl::Mutex mutex_;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  absl::flat_hash_set<grpc::ClientContext*> contexts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CANCELLATION_H_
