#include "server/lease/lease_conversation.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/log.h"

namespace assay {
namespace {

v1::LeaseDirective Acknowledged(int64_t number) {
  v1::LeaseDirective directive;
  directive.mutable_acknowledged()->set_number(number);
  return directive;
}

}  // namespace

bool LeaseConversation::Receive(
    const v1::LeaseReport& report,
    const std::weak_ptr<LeaseMonitor::Stream>& stream) {
  if (const absl::Status valid = Check(report, stream); !valid.ok()) {
    peer_.End(valid);
    return false;
  }
  if (report.has_heartbeat()) {
    HandleHeartbeat();
    return false;
  }
  if (IsAccepted()) {
    presence_.Touch(worker_id_);
    monitor_.Touch(lease_id_);
  }
  return true;
}

absl::Status LeaseConversation::Check(
    const v1::LeaseReport& report,
    const std::weak_ptr<LeaseMonitor::Stream>& stream) {
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
    monitor_.Attach(lease_id_, stream);
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

void LeaseConversation::HandleHeartbeat() {
  // Before the answer to accept anybody may have sent it.
  if (!IsAccepted()) return;
  presence_.Touch(worker_id_);
  if (!monitor_.Touch(lease_id_)) return OnLost();
  int64_t acknowledged = 0;
  {
    absl::MutexLock lock(&mutex_);
    acknowledged = acknowledged_;
  }
  // So that the worker knows that somebody is there.
  peer_.Tell(Acknowledged(acknowledged));
}

bool LeaseConversation::IsAccepted() {
  absl::MutexLock lock(&mutex_);
  return accepted_;
}

bool LeaseConversation::OnStored(const v1::LeaseReport& report,
                                 absl::StatusOr<ReportOutcome> outcome) {
  if (!outcome.ok()) {
    LogWarning("lease report refused",
               {{"lease", lease_id_},
                {"worker", worker_id_},
                {"error", outcome.status().ToString()}});
    peer_.End(outcome.status());
    return false;
  }
  bool first = false;
  {
    absl::MutexLock lock(&mutex_);
    acknowledged_ = std::max(acknowledged_, outcome->acknowledged);
    first = report.has_accept() && !outcome->finished && !accepted_;
    if (first) {
      accepted_ = true;
      outcome->cancelled_jobs.insert(outcome->cancelled_jobs.end(),
                                     early_cancels_.begin(),
                                     early_cancels_.end());
      outcome->drain |= early_drain_;
    }
  }
  if (first) {
    presence_.Touch(worker_id_);
    monitor_.Start(lease_id_);
  }
  if (report.has_stopped()) {
    monitor_.NoteStopped(lease_id_, report.stopped().job_id());
  }
  peer_.Tell(Acknowledged(outcome->acknowledged));
  if (outcome->drain) SendDrain();
  if (!outcome->cancelled_jobs.empty()) SendCancel(outcome->cancelled_jobs);
  if (!outcome->finished) return true;
  // In this order: a heartbeat that comes in between must not find it lost.
  peer_.End(absl::OkStatus());
  monitor_.Forget(lease_id_);
  LogInfo("lease finished", {{"id", lease_id_}, {"worker", worker_id_}});
  return false;
}

void LeaseConversation::SendCancel(const std::vector<std::string>& job_ids) {
  v1::LeaseDirective directive;
  for (const std::string& id : job_ids) {
    directive.mutable_cancel()->add_job_ids(id);
    monitor_.NoteTold(lease_id_, id);
  }
  peer_.Tell(std::move(directive));
}

void LeaseConversation::OnCancelled(const std::string& job_id) {
  {
    absl::MutexLock lock(&mutex_);
    if (!accepted_) {
      early_cancels_.push_back(job_id);
      return;
    }
  }
  SendCancel({job_id});
}

void LeaseConversation::OnDrained() {
  {
    absl::MutexLock lock(&mutex_);
    if (!accepted_) {
      early_drain_ = true;
      return;
    }
  }
  SendDrain();
}

void LeaseConversation::SendDrain() {
  v1::LeaseDirective directive;
  directive.mutable_drain();
  peer_.Tell(std::move(directive));
}

void LeaseConversation::OnLost() {
  // What became of it before the accept, the answer to that will tell.
  if (!IsAccepted()) return;
  peer_.End(absl::AbortedError(
      absl::StrCat("lease \"", lease_id_,
                   "\" is lost: drop the work and ask for another lease")));
}

void LeaseConversation::OnEnd(const LeaseMonitor::Stream* stream) {
  if (!lease_id_.empty()) monitor_.Detach(lease_id_, stream);
}

}  // namespace assay
