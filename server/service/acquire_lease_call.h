// One call of WorkerService.AcquireLease: looks for jobs, parks when there are
// none, and looks again when some were queued. A worker that is unwell is
// answered at once.

#ifndef ASSAY_SERVER_SERVICE_ACQUIRE_LEASE_CALL_H_
#define ASSAY_SERVER_SERVICE_ACQUIRE_LEASE_CALL_H_

#include <grpcpp/support/server_callback.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "assay/v1/worker_service.pb.h"
#include "server/lease/leases.h"
#include "server/lease/parking.h"
#include "server/rpc/finish_once.h"
#include "server/rpc/open_calls.h"
#include "server/service/lease_context.h"

namespace assay {

// Lives until gRPC is done with it.
class AcquireLeaseCall final
    : public grpc::ServerUnaryReactor,
      public Parking::Waiter,
      public OpenCalls::Call,
      public std::enable_shared_from_this<AcquireLeaseCall> {
 public:
  // `token_id` is the token of the caller; empty: none.
  static AcquireLeaseCall* Start(LeaseContext& context,
                                 const v1::AcquireLeaseRequest& request,
                                 v1::AcquireLeaseResponse* response,
                                 std::string token_id);

  void OnJobs() override;
  void OnTimeout() override;
  void OnCancel() override;
  void OnDone() override;
  void Stop(const absl::Status& status) override;

 private:
  AcquireLeaseCall(LeaseContext& context,
                   const v1::AcquireLeaseRequest& request,
                   v1::AcquireLeaseResponse* response, std::string token_id)
      : context_(context),
        request_(request),
        response_(response),
        token_id_(std::move(token_id)),
        deadline_(context.clock.Monotonic() + context.poll) {}
  void Look();
  void OnLooked(int64_t generation, absl::StatusOr<Acquired> result);
  // Others of the class were not woken, for this one was: if there may be more
  // for them, it is their turn now.
  void PassOn(const Acquired& found);
  // Tells the presence how the worker is, as the request says.
  void NoteHealth();
  void Deliver(v1::AcquireLeaseResponse result);
  // Without a lease.
  void FinishWith(const absl::Status& status);

  LeaseContext& context_;
  // A copy: the call's own is gone when the client cancels.
  const v1::AcquireLeaseRequest request_;
  v1::AcquireLeaseResponse* const response_;
  const std::string token_id_;
  const absl::Duration deadline_;
  // Looks never overlap.
  bool noted_health_ = false;
  bool woken_ = false;
  std::string held_back_reason_;
  FinishOnce finish_;
  std::shared_ptr<AcquireLeaseCall> self_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_ACQUIRE_LEASE_CALL_H_
