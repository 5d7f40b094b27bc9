#include "worker/lease/lease_stream.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/grpc_status.h"
#include "base/log.h"

namespace assay {
namespace {

constexpr absl::Duration kFirstBackoff = absl::Milliseconds(100);
constexpr absl::Duration kMaxBackoff = absl::Seconds(2);
// A process that ends does not wait for a coordinator that was not heard of for
// this long.
constexpr absl::Duration kGoneWhenEnding = absl::Seconds(5);

absl::Duration Now() { return Clock::Real().Monotonic(); }

// Errors after which the same lease may still be resumed.
bool IsTransient(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kCancelled:
      return true;
    default:
      return false;
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<LeaseStream>> LeaseStream::Accept(
    Options options) {
  std::unique_ptr<LeaseStream> lease(new LeaseStream(std::move(options)));
  LeaseStream* self = lease.get();
  self->thread_ = std::thread([self] { self->Run(); });
  absl::MutexLock lock(&self->mutex_);
  const auto decided = [self]() ABSL_SHARED_LOCKS_REQUIRED(self->mutex_) {
    return self->accepted_ || self->ended_;
  };
  self->mutex_.Await(absl::Condition(&decided));
  if (self->ended_) return self->end_status_;
  return lease;
}

std::unique_ptr<LeaseStream> LeaseStream::TakeOver(Options options,
                                                   const SpooledLease& left) {
  options.worker_id = left.accept.worker_id();
  options.session_id = left.accept.session_id();
  options.lease_id = left.accept.lease_id();
  options.spool_time = left.left;
  // It is there already.
  options.spool = nullptr;
  std::unique_ptr<LeaseStream> lease(new LeaseStream(std::move(options)));
  LeaseStream* self = lease.get();
  {
    absl::MutexLock lock(&self->mutex_);
    self->delivers_only_ = true;
    self->accepted_ = true;
    self->pending_.assign(left.reports.begin(), left.reports.end());
  }
  self->thread_ = std::thread([self] { self->Run(); });
  return lease;
}

absl::Status LeaseStream::AwaitDelivery() {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&ended_));
  return pending_.empty() ? absl::OkStatus() : end_status_;
}

LeaseStream::LeaseStream(Options options)
    : options_(std::move(options)), last_answer_(Now()) {
  if (options_.spool == nullptr) return;
  v1::LeaseReport accept = NewReport();
  accept.mutable_accept();
  spooled_ = options_.spool->Start(accept, options_.spool_time);
}

LeaseStream::~LeaseStream() {
  {
    absl::MutexLock lock(&mutex_);
    abandoned_ = true;
    if (context_ != nullptr) context_->TryCancel();
  }
  if (thread_.joinable()) thread_.join();
}

v1::LeaseReport LeaseStream::NewReport() const {
  v1::LeaseReport report;
  report.set_lease_id(options_.lease_id);
  report.set_worker_id(options_.worker_id);
  report.set_session_id(options_.session_id);
  return report;
}

void LeaseStream::Enqueue(v1::LeaseReport report) {
  absl::MutexLock lock(&mutex_);
  EnqueueLocked(std::move(report));
}

void LeaseStream::EnqueueLocked(v1::LeaseReport report) {
  if (ended_ || finishing_) return;
  report.set_number(next_number_++);
  if (spooled_ != nullptr) spooled_->Append(report);
  pending_.push_back(std::move(report));
}

void LeaseStream::ReportStage(const v1::LeasedJob& job, v1::JobStage stage) {
  v1::LeaseReport report = NewReport();
  report.mutable_stage()->set_job_id(job.job_id());
  report.mutable_stage()->set_fence(job.fence());
  report.mutable_stage()->set_stage(stage);
  if (stage != v1::BUILD && stage != v1::WAITING) {
    absl::MutexLock lock(&mutex_);
    begun_.insert(job.job_id());
  }
  Enqueue(std::move(report));
}

void LeaseStream::ReportCompleted(const v1::LeasedJob& job,
                                  v1::Evaluation evaluation) {
  v1::LeaseReport report = NewReport();
  report.mutable_completed()->set_job_id(job.job_id());
  report.mutable_completed()->set_fence(job.fence());
  *report.mutable_completed()->mutable_evaluation() = std::move(evaluation);
  EnqueueOutcome(job, std::move(report));
}

void LeaseStream::ReportFailed(const v1::LeasedJob& job, v1::JobFailure failure,
                               bool retryable) {
  v1::LeaseReport report = NewReport();
  report.mutable_failed()->set_job_id(job.job_id());
  report.mutable_failed()->set_fence(job.fence());
  *report.mutable_failed()->mutable_failure() = std::move(failure);
  report.mutable_failed()->set_retryable(retryable);
  EnqueueOutcome(job, std::move(report));
}

void LeaseStream::EnqueueOutcome(const v1::LeasedJob& job,
                                 v1::LeaseReport report) {
  absl::MutexLock lock(&mutex_);
  EnqueueLocked(std::move(report));
  reported_.insert(job.job_id());
  // It was called off while its outcome was on the way here.
  if (cancelled_.contains(job.job_id()))
    EnqueueStopped(job.job_id(), job.fence());
}

void LeaseStream::ReportStopped(const v1::LeasedJob& job) {
  absl::MutexLock lock(&mutex_);
  reported_.insert(job.job_id());
  if (cancelled_.contains(job.job_id()))
    EnqueueStopped(job.job_id(), job.fence());
}

void LeaseStream::EnqueueStopped(const std::string& job_id, int64_t fence) {
  v1::LeaseReport report = NewReport();
  report.mutable_stopped()->set_job_id(job_id);
  report.mutable_stopped()->set_fence(fence);
  EnqueueLocked(std::move(report));
}

void LeaseStream::CallOff(const std::string& job_id) {
  cancelled_.insert(job_id);
  // Else it is said when it has been stopped.
  if (begun_.contains(job_id) && !reported_.contains(job_id)) return;
  EnqueueStopped(job_id, /*fence=*/0);
}

bool LeaseStream::IsOff(absl::string_view job_id) const {
  absl::MutexLock lock(&mutex_);
  return ended_ || lapsed_ || all_cancelled_ || stopping_now_ ||
         cancelled_.contains(job_id) || (stopping_ && !begun_.contains(job_id));
}

void LeaseStream::StopAfterCurrent() {
  absl::MutexLock lock(&mutex_);
  stopping_ = true;
  process_ends_ = true;
  if (delivers_only_) LeaveLocked();
}

void LeaseStream::Leave() {
  absl::MutexLock lock(&mutex_);
  LeaveLocked();
}

void LeaseStream::LeaveLocked() {
  leaves_ = true;
  abandoned_ = true;
  if (context_ != nullptr) context_->TryCancel();
}

void LeaseStream::StopNow() {
  absl::MutexLock lock(&mutex_);
  stopping_now_ = true;
}

absl::Status LeaseStream::Finish() {
  v1::LeaseReport report = NewReport();
  report.mutable_finished();
  absl::MutexLock lock(&mutex_);
  EnqueueLocked(std::move(report));
  // Under the same lock: the coordinator may end the stream at once.
  finishing_ = true;
  mutex_.Await(absl::Condition(&ended_));
  return end_status_;
}

void LeaseStream::Run() {
  absl::Duration backoff = kFirstBackoff;
  absl::Status status;
  while (true) {
    status = RunConnection();
    absl::MutexLock lock(&mutex_);
    if (abandoned_ || status.ok() || !IsTransient(status)) break;
    if (IsHopeless()) break;
    // Wakes early only to be abandoned.
    mutex_.AwaitWithTimeout(absl::Condition(&abandoned_), backoff);
    if (abandoned_) break;
    backoff = std::min(backoff * 2, kMaxBackoff);
  }
  absl::MutexLock lock(&mutex_);
  if (status.ok() && !finishing_) {
    status = absl::AbortedError("the coordinator ended the lease");
  }
  if (!status.ok() && !abandoned_) {
    LogWarning("lease lost",
               {{"lease", options_.lease_id}, {"error", status.ToString()}});
  }
  end_status_ = status;
  ended_ = true;
  if (spooled_ != nullptr && !leaves_) spooled_->Remove();
}

bool LeaseStream::HasOutcomes() const {
  return std::any_of(pending_.begin(), pending_.end(),
                     [](const v1::LeaseReport& report) {
                       return report.has_completed() || report.has_failed();
                     });
}

bool LeaseStream::IsHopeless() {
  const absl::Duration silence = Now() - last_answer_;
  if (process_ends_ && finishing_ && silence > kGoneWhenEnding) {
    leaves_ = true;
    return true;
  }
  if (silence <= options_.ttl) return false;
  lapsed_ = true;
  return !accepted_ || !HasOutcomes() ||
         silence > options_.ttl + options_.spool_time;
}

absl::Status LeaseStream::RunConnection() {
  grpc::ClientContext context;
  {
    absl::MutexLock lock(&mutex_);
    if (abandoned_) return absl::CancelledError("the lease was given up");
    context_ = &context;
    sent_ = 0;
    connected_ = false;
    broken_ = false;
    connection_begin_ = Now();
    unanswered_ = {connection_begin_};
  }
  std::unique_ptr<Stream> stream = options_.stub->RunLease(&context);
  std::thread reader([this, &stream] { ReadDirectives(*stream); });
  v1::LeaseReport accept = NewReport();
  accept.mutable_accept();
  if (stream->Write(accept)) WriteReports(*stream);
  stream->WritesDone();
  reader.join();
  const absl::Status status = FromGrpcStatus(stream->Finish());
  absl::MutexLock lock(&mutex_);
  context_ = nullptr;
  return status;
}

bool LeaseStream::WriterHasWork() const {
  return broken_ || abandoned_ || (connected_ && sent_ < pending_.size());
}

void LeaseStream::WriteReports(Stream& stream) {
  while (true) {
    v1::LeaseReport report = NewReport();
    report.mutable_heartbeat();
    {
      absl::MutexLock lock(&mutex_);
      mutex_.AwaitWithTimeout(
          absl::Condition(this, &LeaseStream::WriterHasWork),
          options_.heartbeat_interval);
      if (broken_ || abandoned_) return;
      // Every heartbeat is answered: silence means that nobody is there, or
      // that the lease is somebody else's by now.
      if (Now() - std::max(last_answer_, connection_begin_) > options_.ttl) {
        context_->TryCancel();
        return;
      }
      // Nobody answers a heartbeat before the accept.
      if (!connected_) continue;
      if (sent_ < pending_.size()) report = pending_[sent_++];
      unanswered_.push_back(Now());
    }
    if (!stream.Write(report)) return;
  }
}

void LeaseStream::ReadDirectives(Stream& stream) {
  v1::LeaseDirective directive;
  while (stream.Read(&directive)) Handle(directive);
  absl::MutexLock lock(&mutex_);
  broken_ = true;
}

void LeaseStream::Handle(const v1::LeaseDirective& directive) {
  absl::MutexLock lock(&mutex_);
  switch (directive.directive_case()) {
    case v1::LeaseDirective::kAcknowledged: {
      const int64_t stored = directive.acknowledged().number();
      while (!pending_.empty() && pending_.front().number() <= stored) {
        pending_.pop_front();
        if (sent_ > 0) --sent_;
      }
      // The lease has lived since that arrived, or longer.
      if (!unanswered_.empty()) {
        last_answer_ = std::max(last_answer_, unanswered_.front());
        unanswered_.pop_front();
      }
      accepted_ = true;
      connected_ = true;
      if (delivers_only_ && pending_.empty()) {
        abandoned_ = true;
        context_->TryCancel();
      }
      break;
    }
    case v1::LeaseDirective::kCancel:
      if (directive.cancel().job_ids().empty()) all_cancelled_ = true;
      for (const std::string& id : directive.cancel().job_ids()) CallOff(id);
      break;
    case v1::LeaseDirective::kDrain:
      stopping_ = true;
      break;
    case v1::LeaseDirective::DIRECTIVE_NOT_SET:
      break;
  }
}

}  // namespace assay
