#include "server/service/run_lease_call.h"

#include <utility>

#include "base/status_macros.h"
#include "server/auth/tokens.h"

namespace assay {
namespace {

// Reports of one stream that wait for the store at a time.
constexpr int kMaxInFlight = 64;
constexpr size_t kMaxInFlightBytes = size_t{16} << 20;
// Directives that the worker has not read: no more of its reports are read
// before it has.
constexpr size_t kMaxBacklog = 64;

}  // namespace

RunLeaseCall* RunLeaseCall::Start(LeaseContext& context, std::string token_id) {
  std::shared_ptr<RunLeaseCall> call(
      new RunLeaseCall(context, std::move(token_id)));
  call->self_ = call;
  context.open_calls.Add(call, call->token_id_);
  call->MaybeRead();
  return call.get();
}

void RunLeaseCall::MaybeRead() {
  {
    absl::MutexLock lock(&mutex_);
    if (reading_ || closed_ || in_flight_ >= kMaxInFlight ||
        in_flight_bytes_ >= kMaxInFlightBytes ||
        sender_.backlog() >= kMaxBacklog) {
      return;
    }
    reading_ = true;
  }
  sender_.IfOpen([this] { StartRead(&incoming_); });
}

void RunLeaseCall::OnReadDone(bool ok) {
  if (!ok) {
    {
      absl::MutexLock lock(&mutex_);
      closed_ = true;
    }
    // Reports that were sent are still stored; the lease lives on for a ttl.
    sender_.Finish(absl::CancelledError(
        "the stream was closed before the lease was finished"));
    return;
  }
  // Evaluations are large to copy.
  auto report = std::make_shared<v1::LeaseReport>();
  report->Swap(&incoming_);
  Handle(std::move(report));
  {
    // Only now: the next read may come in on another thread, and its report
    // must not overtake this one.
    absl::MutexLock lock(&mutex_);
    reading_ = false;
  }
  MaybeRead();
}

void RunLeaseCall::Handle(Report report) {
  if (!conversation_.Receive(*report, weak_from_this())) return;
  {
    absl::MutexLock lock(&mutex_);
    ++in_flight_;
    in_flight_bytes_ += report->ByteSizeLong();
  }
  context_.store.Write<ReportOutcome>(
      [this, report](Session& session) -> absl::StatusOr<ReportOutcome> {
        // Of each report: some may follow the first before that is refused.
        ASSAY_RETURN_IF_ERROR(
            CheckSpeaksFor(session, report->worker_id(), token_id_));
        return ApplyReport(session, *report);
      },
      [self = shared_from_this(),
       report](absl::StatusOr<ReportOutcome> outcome) {
        self->OnStored(report, std::move(outcome));
      });
}

void RunLeaseCall::OnStored(const Report& report,
                            absl::StatusOr<ReportOutcome> outcome) {
  {
    absl::MutexLock lock(&mutex_);
    --in_flight_;
    in_flight_bytes_ -= report->ByteSizeLong();
  }
  if (conversation_.OnStored(*report, std::move(outcome))) MaybeRead();
}

void RunLeaseCall::OnWriteDone(bool ok) {
  // The sender may finish the call.
  const std::shared_ptr<RunLeaseCall> self = shared_from_this();
  sender_.OnWriteDone(ok);
  if (ok) MaybeRead();
}

void RunLeaseCall::OnCancel() {
  sender_.Finish(absl::CancelledError("cancelled"));
}

void RunLeaseCall::OnDone() {
  context_.open_calls.Remove(this);
  conversation_.OnEnd(this);
  // Callbacks of the store may still hold it.
  const std::shared_ptr<RunLeaseCall> last = std::move(self_);
}

}  // namespace assay
