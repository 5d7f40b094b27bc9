// One call of WorkerService.RunLease: stores what the worker reports, answers
// after the commit, and passes on what happens to the lease.

#ifndef ASSAY_SERVER_SERVICE_RUN_LEASE_CALL_H_
#define ASSAY_SERVER_SERVICE_RUN_LEASE_CALL_H_

#include <grpcpp/support/server_callback.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "assay/v1/worker_service.pb.h"
#include "server/lease/lease_conversation.h"
#include "server/lease/lease_monitor.h"
#include "server/lease/reports.h"
#include "server/rpc/open_calls.h"
#include "server/rpc/stream_sender.h"
#include "server/service/lease_context.h"

namespace assay {

// Of reports that were stored together only the last one's acknowledgement is
// sent: it speaks for all before it.
struct LaterAcknowledgement {
  bool operator()(const v1::LeaseDirective& later,
                  const v1::LeaseDirective& waiting) const {
    return later.has_acknowledged() && waiting.has_acknowledged();
  }
};

// A broken stream ends the call, not the lease. Lives until gRPC is done with
// it.
class RunLeaseCall final
    : public grpc::ServerBidiReactor<v1::LeaseReport, v1::LeaseDirective>,
      public LeaseMonitor::Stream,
      public LeaseConversation::Peer,
      public OpenCalls::Call,
      public std::enable_shared_from_this<RunLeaseCall> {
 public:
  // `token_id` is the token of the caller; empty: none.
  static RunLeaseCall* Start(LeaseContext& context, std::string token_id);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void OnCancelled(const std::string& job_id) override {
    conversation_.OnCancelled(job_id);
  }
  void OnLost() override { conversation_.OnLost(); }
  void OnDrained() override { conversation_.OnDrained(); }
  void Stop(const absl::Status& status) override { sender_.Finish(status); }

 private:
  using Report = std::shared_ptr<const v1::LeaseReport>;

  RunLeaseCall(LeaseContext& context, std::string token_id)
      : context_(context),
        token_id_(std::move(token_id)),
        sender_(*this),
        conversation_(context.presence, context.monitor, *this) {}
  void Tell(v1::LeaseDirective directive) override {
    sender_.Send(std::move(directive));
  }
  void End(const absl::Status& status) override { sender_.Finish(status); }
  void Handle(Report report);
  void OnStored(const Report& report, absl::StatusOr<ReportOutcome> outcome);
  // Reads on unless too many reports wait for the store.
  void MaybeRead();

  LeaseContext& context_;
  const std::string token_id_;
  StreamSender<grpc::ServerBidiReactor<v1::LeaseReport, v1::LeaseDirective>,
               v1::LeaseDirective, LaterAcknowledgement>
      sender_;
  LeaseConversation conversation_;
  // Belongs to gRPC while a read is under way.
  v1::LeaseReport incoming_;

  absl::Mutex mutex_;
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  int in_flight_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t in_flight_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<RunLeaseCall> self_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_RUN_LEASE_CALL_H_
