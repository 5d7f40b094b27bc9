#include "server/simulation/simulated_worker.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "server/catalog/samples_testing.h"

namespace assay {

void SimulatedLease::Connect(SimulatedCoordinator& coordinator) {
  if (over_ || stream_ != nullptr) return;
  stream_ = coordinator.Connect();
  sent_ = 0;
  connected_ = false;
  v1::LeaseReport accept = NewReport();
  accept.mutable_accept();
  stream_->to_coordinator.push_back(std::move(accept));
}

v1::LeaseReport SimulatedLease::NewReport() const {
  v1::LeaseReport report;
  report.set_lease_id(lease_.id());
  report.set_worker_id(worker_id_);
  report.set_session_id(session_id_);
  return report;
}

void SimulatedLease::Enqueue(v1::LeaseReport report) {
  report.set_number(next_number_++);
  pending_.push_back(std::move(report));
}

void SimulatedLease::Work(Progress progress) {
  if (!accepted_ || finishing_ || over_) return;
  while (job_ < lease_.jobs_size() &&
         cancelled_.count(lease_.jobs(job_).job_id()) > 0) {
    ++job_;
    stage_ = v1::INPUTS;
  }
  const bool between_jobs = stage_ <= v1::INPUTS;
  if (job_ == lease_.jobs_size() || (drained_ && between_jobs)) {
    return Finish();
  }
  const v1::LeasedJob& job = lease_.jobs(job_);
  v1::LeaseReport report = NewReport();
  if (progress == Progress::kStage) {
    report.mutable_stage()->set_job_id(job.job_id());
    report.mutable_stage()->set_fence(job.fence());
    report.mutable_stage()->set_stage(static_cast<v1::JobStage>(stage_));
    if (stage_ < v1::MEASURE) ++stage_;
    return Enqueue(std::move(report));
  }
  ++job_;
  stage_ = v1::INPUTS;
  if (progress == Progress::kComplete) {
    report.mutable_completed()->set_job_id(job.job_id());
    report.mutable_completed()->set_fence(job.fence());
    v1::Evaluation& evaluation =
        *report.mutable_completed()->mutable_evaluation();
    evaluation = SampleEvaluation();
    // Tells it from every other one.
    evaluation.set_log(absl::StrCat(lease_.id(), " ", next_number_));
  } else {
    report.mutable_failed()->set_job_id(job.job_id());
    report.mutable_failed()->set_fence(job.fence());
    report.mutable_failed()->mutable_failure()->set_reason("WORKER_ERROR");
    report.mutable_failed()->set_retryable(progress ==
                                           Progress::kFailRetryable);
  }
  Enqueue(std::move(report));
}

void SimulatedLease::Finish() {
  if (!accepted_ || finishing_ || over_) return;
  v1::LeaseReport report = NewReport();
  report.mutable_finished();
  Enqueue(std::move(report));
  finishing_ = true;
}

void SimulatedLease::Send() {
  if (over_ || stream_ == nullptr) return;
  if (connected_ && sent_ < pending_.size()) {
    stream_->to_coordinator.push_back(pending_[sent_++]);
    return;
  }
  v1::LeaseReport heartbeat = NewReport();
  heartbeat.mutable_heartbeat();
  stream_->to_coordinator.push_back(std::move(heartbeat));
}

std::vector<v1::LeaseReport> SimulatedLease::Hear() {
  std::vector<v1::LeaseReport> acknowledged;
  if (over_ || stream_ == nullptr) return acknowledged;
  if (stream_->to_worker.empty()) {
    if (!stream_->end.has_value()) return acknowledged;
    const absl::Status end = *stream_->end;
    stream_ = nullptr;
    // After anything transient it tries again.
    over_ = end.ok() || absl::IsAborted(end) || absl::IsInvalidArgument(end);
    return acknowledged;
  }
  const v1::LeaseDirective directive = std::move(stream_->to_worker.front());
  stream_->to_worker.pop_front();
  Obey(directive);
  if (!directive.has_acknowledged()) return acknowledged;
  accepted_ = true;
  connected_ = true;
  while (!pending_.empty() &&
         pending_.front().number() <= directive.acknowledged().number()) {
    acknowledged.push_back(std::move(pending_.front()));
    pending_.pop_front();
    if (sent_ > 0) --sent_;
  }
  return acknowledged;
}

void SimulatedLease::Obey(const v1::LeaseDirective& directive) {
  drained_ = drained_ || directive.has_drain();
  for (const std::string& id : directive.cancel().job_ids()) {
    cancelled_.insert(id);
    // It stops at once. Now and then it hangs: then it says nothing.
    if (finishing_ || next_number_ % 7 == 0) continue;
    v1::LeaseReport report = NewReport();
    report.mutable_stopped()->set_job_id(id);
    Enqueue(std::move(report));
  }
}

std::string SimulatedWorker::SessionId(int number) const {
  return absl::StrCat(id, "-", number);
}

}  // namespace assay
