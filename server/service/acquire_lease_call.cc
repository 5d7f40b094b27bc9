#include "server/service/acquire_lease_call.h"

#include <string>
#include <utility>

#include "base/grpc_status.h"
#include "base/log.h"
#include "base/status_macros.h"
#include "server/auth/tokens.h"

namespace assay {
namespace {

// Of the class of a worker that got a lease: more than one, so that many are
// woken soon when there is much to do.
constexpr int kWokenByALease = 2;

}  // namespace

AcquireLeaseCall* AcquireLeaseCall::Start(
    LeaseContext& context, const v1::AcquireLeaseRequest& request,
    v1::AcquireLeaseResponse* response, std::string token_id) {
  std::shared_ptr<AcquireLeaseCall> call(
      new AcquireLeaseCall(context, request, response, std::move(token_id)));
  call->self_ = call;
  context.open_calls.Add(call, call->token_id_);
  if (!call->finish_.claimed()) call->Look();
  return call.get();
}

void AcquireLeaseCall::OnJobs() {
  woken_ = true;
  Look();
}

void AcquireLeaseCall::Look() {
  const int64_t generation = context_.parking.generation();
  context_.store.Write<Acquired>(
      [this](Session& session) -> absl::StatusOr<Acquired> {
        ASSAY_RETURN_IF_ERROR(
            CheckSpeaksFor(session, request_.worker_id(), token_id_));
        return AcquireLease(session, request_, context_.presence);
      },
      [self = shared_from_this(), generation](absl::StatusOr<Acquired> result) {
        self->OnLooked(generation, std::move(result));
      });
}

void AcquireLeaseCall::PassOn(const Acquired& found) {
  const bool woken = std::exchange(woken_, false);
  if (found.response.has_lease()) {
    context_.parking.WakeNext(found.device_class, kWokenByALease);
  } else if (woken &&
             (found.passed_over || !request_.unwell_reason().empty())) {
    context_.parking.WakeNext(found.device_class, 1);
  }
}

void AcquireLeaseCall::OnLooked(int64_t generation,
                                absl::StatusOr<Acquired> result) {
  if (!result.ok()) return FinishWith(result.status());
  PassOn(*result);
  context_.presence.NoteClass(request_.worker_id(), result->device_class);
  NoteHealth();
  if (result->response.has_lease()) {
    const v1::Lease& lease = result->response.lease();
    context_.presence.NoteLease(request_.worker_id(), lease.definition().name(),
                                lease.solution_digest(), result->preferred);
    return Deliver(std::move(result->response));
  }
  if (!request_.unwell_reason().empty()) return FinishWith(absl::OkStatus());
  if (finish_.claimed()) return;
  held_back_reason_ = result->response.held_back_reason();
  if (context_.clock.Monotonic() >= deadline_) return OnTimeout();
  if (!context_.parking.Park(shared_from_this(), generation, deadline_,
                             result->device_class)) {
    return Look();
  }
  // Finished between the check above and now: nobody else would remove it.
  if (finish_.claimed()) context_.parking.Remove(this);
}

void AcquireLeaseCall::NoteHealth() {
  // What the request says counts once: by the time that this call looks again,
  // the worker may have said something newer with another.
  if (std::exchange(noted_health_, true)) {
    context_.presence.Touch(request_.worker_id());
    return;
  }
  if (!context_.presence.SetUnwell(request_.worker_id(),
                                   request_.unwell_reason())) {
    return;
  }
  if (request_.unwell_reason().empty()) {
    LogInfo("worker well again", {{"worker", request_.worker_id()}});
  } else {
    LogWarning("worker unwell", {{"worker", request_.worker_id()},
                                 {"reason", request_.unwell_reason()}});
  }
}

void AcquireLeaseCall::Deliver(v1::AcquireLeaseResponse result) {
  const std::string lease_id = result.lease().id();
  if (!finish_.Claim()) {
    // Nobody is there to take it.
    context_.store.Write<bool>(
        [this, lease_id](Session& session) {
          return ExpireLease(session, lease_id, context_.presence);
        },
        [self = shared_from_this(),
         lease_id](const absl::StatusOr<bool>& expired) {
          // It must not live on unwatched: the monitor tries again.
          if (!expired.ok()) self->context_.monitor.Start(lease_id);
        });
    return;
  }
  context_.monitor.Start(lease_id);
  LogInfo("lease", {{"id", lease_id},
                    {"worker", request_.worker_id()},
                    {"solution", result.lease().solution().name()},
                    {"jobs", result.lease().jobs_size()}});
  *response_ = std::move(result);
  Finish(grpc::Status::OK);
}

void AcquireLeaseCall::FinishWith(const absl::Status& status) {
  if (finish_.Claim()) Finish(ToGrpcStatus(status));
}

void AcquireLeaseCall::OnTimeout() {
  context_.presence.Touch(request_.worker_id());
  if (!finish_.Claim()) return;
  response_->set_held_back_reason(held_back_reason_);
  Finish(grpc::Status::OK);
}

void AcquireLeaseCall::OnCancel() {
  context_.parking.Remove(this);
  FinishWith(absl::CancelledError("cancelled"));
}

void AcquireLeaseCall::Stop(const absl::Status& status) {
  context_.parking.Remove(this);
  FinishWith(status);
}

void AcquireLeaseCall::OnDone() {
  context_.open_calls.Remove(this);
  // Callbacks of the store may still hold it.
  const std::shared_ptr<AcquireLeaseCall> last = std::move(self_);
}

}  // namespace assay
