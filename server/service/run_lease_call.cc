#include "server/service/run_lease_call.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/log.h"

namespace assay {
namespace {

// Reports of one stream that wait for the store at a time.
constexpr int kMaxInFlight = 64;

v1::LeaseDirective Acknowledged(int64_t number) {
  v1::LeaseDirective directive;
  directive.mutable_acknowledged()->set_number(number);
  return directive;
}

}  // namespace

RunLeaseCall* RunLeaseCall::Start(LeaseContext& context) {
  std::shared_ptr<RunLeaseCall> call(new RunLeaseCall(context));
  call->self_ = call;
  context.open_calls.Add(call);
  call->MaybeRead();
  return call.get();
}

void RunLeaseCall::MaybeRead() {
  {
    absl::MutexLock lock(&mutex_);
    if (reading_ || closed_ || in_flight_ >= kMaxInFlight) return;
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
  Handle(std::make_shared<const v1::LeaseReport>(incoming_));
  {
    // Only now: the next read may come in on another thread, and its report
    // must not overtake this one.
    absl::MutexLock lock(&mutex_);
    reading_ = false;
  }
  MaybeRead();
}

absl::Status RunLeaseCall::Check(const v1::LeaseReport& report) {
  if (report.report_case() == v1::LeaseReport::REPORT_NOT_SET) {
    return absl::InvalidArgumentError(
        "report is missing: set one of its fields");
  }
  if (lease_id_.empty()) {
    if (!report.has_accept() || report.lease_id().empty()) {
      return absl::InvalidArgumentError(
          "the first report of a stream must be accept, with lease_id, "
          "worker_id and session_id");
    }
    lease_id_ = report.lease_id();
    worker_id_ = report.worker_id();
    session_id_ = report.session_id();
    // Before the accept is stored, so that nothing that follows is missed.
    context_.monitor.Attach(lease_id_, weak_from_this());
    return absl::OkStatus();
  }
  if (report.lease_id() != lease_id_ || report.worker_id() != worker_id_ ||
      report.session_id() != session_id_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "this stream is about the lease \"", lease_id_,
        "\": open another one for \"",
        absl::string_view(report.lease_id()).substr(0, 100), "\""));
  }
  return absl::OkStatus();
}

void RunLeaseCall::Handle(Report report) {
  if (const absl::Status valid = Check(*report); !valid.ok()) {
    return sender_.Finish(valid);
  }
  if (report->has_heartbeat()) return HandleHeartbeat();
  if (IsAccepted()) {
    context_.presence.Touch(worker_id_);
    context_.monitor.Touch(lease_id_);
  }
  {
    absl::MutexLock lock(&mutex_);
    ++in_flight_;
  }
  context_.store.Write<ReportOutcome>(
      [report](Session& session) { return ApplyReport(session, *report); },
      [self = shared_from_this(),
       report](absl::StatusOr<ReportOutcome> outcome) {
        self->OnStored(report, std::move(outcome));
      });
}

void RunLeaseCall::HandleHeartbeat() {
  // Before the answer to accept anybody may have sent it.
  if (!IsAccepted()) return;
  context_.presence.Touch(worker_id_);
  if (!context_.monitor.Touch(lease_id_)) return OnLost();
  int64_t acknowledged = 0;
  {
    absl::MutexLock lock(&mutex_);
    acknowledged = acknowledged_;
  }
  // So that the worker knows that somebody is there.
  sender_.Send(Acknowledged(acknowledged));
}

bool RunLeaseCall::IsAccepted() {
  absl::MutexLock lock(&mutex_);
  return accepted_;
}

void RunLeaseCall::OnStored(const Report& report,
                            absl::StatusOr<ReportOutcome> outcome) {
  bool first = false;
  {
    absl::MutexLock lock(&mutex_);
    --in_flight_;
    if (outcome.ok()) {
      acknowledged_ = std::max(acknowledged_, outcome->acknowledged);
    }
    first = outcome.ok() && report->has_accept() && !outcome->finished &&
            !accepted_;
    if (first) {
      accepted_ = true;
      outcome->cancelled_jobs.insert(outcome->cancelled_jobs.end(),
                                     early_cancels_.begin(),
                                     early_cancels_.end());
    }
  }
  if (!outcome.ok()) {
    LogWarning("lease report refused",
               {{"lease", lease_id_},
                {"worker", worker_id_},
                {"error", outcome.status().ToString()}});
    return sender_.Finish(outcome.status());
  }
  if (first) {
    context_.presence.Touch(worker_id_);
    context_.monitor.Start(lease_id_);
  }
  sender_.Send(Acknowledged(outcome->acknowledged));
  if (!outcome->cancelled_jobs.empty()) SendCancel(outcome->cancelled_jobs);
  if (outcome->finished) {
    // In this order: a heartbeat that comes in between must not find it lost.
    sender_.Finish(absl::OkStatus());
    context_.monitor.Forget(lease_id_);
    LogInfo("lease finished", {{"id", lease_id_}, {"worker", worker_id_}});
    return;
  }
  MaybeRead();
}

void RunLeaseCall::SendCancel(const std::vector<std::string>& job_ids) {
  v1::LeaseDirective directive;
  for (const std::string& id : job_ids) {
    directive.mutable_cancel()->add_job_ids(id);
  }
  sender_.Send(std::move(directive));
}

void RunLeaseCall::OnCancelled(const std::string& job_id) {
  {
    absl::MutexLock lock(&mutex_);
    if (!accepted_) {
      early_cancels_.push_back(job_id);
      return;
    }
  }
  SendCancel({job_id});
}

void RunLeaseCall::OnLost() {
  // What became of it before the accept, the answer to that will tell.
  if (!IsAccepted()) return;
  sender_.Finish(absl::AbortedError(
      absl::StrCat("lease \"", lease_id_,
                   "\" is lost: drop the work and ask for another lease")));
}

void RunLeaseCall::OnCancel() {
  sender_.Finish(absl::CancelledError("cancelled"));
}

void RunLeaseCall::OnDone() {
  context_.open_calls.Remove(this);
  if (!lease_id_.empty()) context_.monitor.Detach(lease_id_, this);
  // Callbacks of the store may still hold it.
  const std::shared_ptr<RunLeaseCall> last = std::move(self_);
}

}  // namespace assay
