// One stream of RunLease without its transport: what is done with a report
// before and after it is stored, and what the worker is told. The call gives it
// bytes and threads, the simulation neither.

#ifndef ASSAY_SERVER_LEASE_LEASE_CONVERSATION_H_
#define ASSAY_SERVER_LEASE_LEASE_CONVERSATION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "assay/v1/worker_service.pb.h"
#include "server/lease/lease_monitor.h"
#include "server/lease/presence.h"
#include "server/lease/reports.h"

namespace assay {

// Thread-safe, but for Receive: one at a time.
class LeaseConversation final {
 public:
  // The worker's end. Called without a lock; must not block. Nothing reaches
  // the worker after End.
  class Peer {
   public:
    virtual ~Peer() = default;
    virtual void Tell(v1::LeaseDirective directive) = 0;
    virtual void End(const absl::Status& status) = 0;
  };

  // All of them outlive it.
  LeaseConversation(Presence& presence, LeaseMonitor& monitor, Peer& peer)
      : presence_(presence), monitor_(monitor), peer_(peer) {}

  // Takes a report that has arrived, in the order of the stream. True: it is to
  // be stored with ApplyReport, and OnStored called. `stream` is what the
  // monitor tells of the lease.
  bool Receive(const v1::LeaseReport& report,
               const std::weak_ptr<LeaseMonitor::Stream>& stream);
  // True when the stream goes on.
  bool OnStored(const v1::LeaseReport& report,
                absl::StatusOr<ReportOutcome> outcome);
  void OnCancelled(const std::string& job_id);
  void OnLost();
  void OnDrained();
  // The stream is gone.
  void OnEnd(const LeaseMonitor::Stream* stream);

 private:
  // The first report says which lease it is about.
  absl::Status Check(const v1::LeaseReport& report,
                     const std::weak_ptr<LeaseMonitor::Stream>& stream);
  void HandleHeartbeat();
  bool IsAccepted();
  void SendCancel(const std::vector<std::string>& job_ids);
  void SendDrain();

  Presence& presence_;
  LeaseMonitor& monitor_;
  Peer& peer_;
  // Of the first report. Written once, by the first Receive.
  std::string lease_id_;
  std::string worker_id_;
  std::string session_id_;

  absl::Mutex mutex_;
  // The accept was stored and answered, so that the sender is known to have the
  // lease, and the lease goes on.
  bool accepted_ ABSL_GUARDED_BY(mutex_) = false;
  // Number of the last report known to be stored.
  int64_t acknowledged_ ABSL_GUARDED_BY(mutex_) = 0;
  // Cancelled before that; told right after it.
  std::vector<std::string> early_cancels_ ABSL_GUARDED_BY(mutex_);
  bool early_drain_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace assay

#endif  // ASSAY_SERVER_LEASE_LEASE_CONVERSATION_H_
