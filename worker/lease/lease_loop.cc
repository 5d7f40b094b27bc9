#include "worker/lease/lease_loop.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/grpc_status.h"
#include "base/log.h"
#include "base/random_id.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr absl::Duration kFirstBackoff = absl::Milliseconds(100);
constexpr absl::Duration kMaxBackoff = absl::Seconds(5);
// A worker that is unwell must not use up the attempts of everything queued.
constexpr int kMaxFaultyLeases = 5;
constexpr size_t kMaxReasonBytes = 1000;
// For jobs to stop and for what is left to be said, at the end.
constexpr absl::Duration kLeaveGrace = absl::Seconds(10);
// Beyond what the coordinator takes for itself.
constexpr absl::Duration kCallGrace = absl::Seconds(15);

absl::Duration FromProto(const google::protobuf::Duration& duration,
                         absl::Duration fallback) {
  const absl::Duration value =
      absl::Seconds(duration.seconds()) + absl::Nanoseconds(duration.nanos());
  return value > absl::ZeroDuration() ? value : fallback;
}

void SetDeadline(grpc::ClientContext& context, absl::Duration timeout) {
  context.set_deadline(std::chrono::system_clock::now() +
                       absl::ToChronoMilliseconds(timeout));
}

// The coordinator will say the same next time.
bool IsRefusal(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsPermissionDenied(status) ||
         absl::IsUnauthenticated(status) || absl::IsUnimplemented(status);
}

}  // namespace

LeaseLoop::LeaseLoop(Options options)
    : options_(std::move(options)),
      session_id_(RandomId("ses-")),
      request_id_(RandomId("req-")) {}

absl::Status LeaseLoop::Run() {
  DeliverLeft();
  ASSAY_RETURN_IF_ERROR(RegisterWithRetry());
  if (stopping()) return absl::OkStatus();
  options_.on_registered();
  absl::Status status = AskForLeases();
  Stop();
  AwaitJobsAtHand();
  for (LeaseThread& lease : threads_) lease.thread.join();
  threads_.clear();
  return status;
}

void LeaseLoop::DeliverLeft() {
  if (options_.spool == nullptr) return;
  for (const SpooledLease& left : options_.spool->TakeLeft()) {
    absl::Status status = absl::DeadlineExceededError("it is too old");
    if (left.left > absl::ZeroDuration() && !left.reports.empty()) {
      LeaseStream::Options options;
      options.stub = options_.stub;
      const std::unique_ptr<LeaseStream> stream =
          LeaseStream::TakeOver(std::move(options), left);
      {
        absl::MutexLock lock(&mutex_);
        streams_.insert(stream.get());
        if (stopping_) stream->StopAfterCurrent();
      }
      status = stream->AwaitDelivery();
      absl::MutexLock lock(&mutex_);
      streams_.erase(stream.get());
      // The next process goes on with it.
      if (!status.ok() && stopping_) return;
    }
    LogInfo("reports of an earlier process", {{"lease", left.accept.lease_id()},
                                              {"reports", left.reports.size()},
                                              {"status", status.ToString()}});
    options_.spool->Forget(left);
  }
}

absl::Status LeaseLoop::AskForLeases() {
  absl::Duration backoff = kFirstBackoff;
  while (!stopping()) {
    ASSAY_RETURN_IF_ERROR(WaitForRoom());
    const absl::Status readiness = options_.check_ready();
    const absl::StatusOr<v1::AcquireLeaseResponse> response =
        Acquire(readiness);
    if (response.ok()) {
      backoff = kFirstBackoff;
      if (response->has_lease()) Start(response->lease());
      NoteHeldBack(response->held_back_reason());
      if (!readiness.ok()) Pause(options_.unwell_pause);
      continue;
    }
    if (stopping()) break;
    if (IsRefusal(response.status())) return response.status();
    if (absl::IsAborted(response.status()) ||
        absl::IsNotFound(response.status())) {
      ASSAY_RETURN_IF_ERROR(RegisterWithRetry());
      continue;
    }
    LogWarning("cannot get work", {{"error", response.status().ToString()}});
    Pause(backoff);
    backoff = std::min(backoff * 2, kMaxBackoff);
  }
  return absl::OkStatus();
}

void LeaseLoop::AwaitJobsAtHand() {
  absl::MutexLock lock(&mutex_);
  const auto none = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return running_ == 0;
  };
  if (mutex_.AwaitWithTimeout(absl::Condition(&none), stop_grace_)) return;
  LogWarning("the job at hand takes too long: it is given back");
  for (LeaseStream* stream : streams_) stream->StopNow();
  if (mutex_.AwaitWithTimeout(absl::Condition(&none), kLeaveGrace)) return;
  for (LeaseStream* stream : streams_) stream->Leave();
}

absl::Status LeaseLoop::RegisterWithRetry() {
  absl::Duration backoff = kFirstBackoff;
  while (!stopping()) {
    absl::Status status = Register();
    // A newer process has this worker's id.
    if (absl::IsFailedPrecondition(status)) return status;
    if (status.ok() || IsRefusal(status)) return status;
    LogWarning("cannot register", {{"error", status.ToString()}});
    Pause(backoff);
    backoff = std::min(backoff * 2, kMaxBackoff);
  }
  return absl::OkStatus();
}

absl::Status LeaseLoop::Register() {
  v1::RegisterWorkerRequest request;
  request.set_worker_id(options_.worker_id);
  request.set_session_id(session_id_);
  request.set_version(options_.version);
  *request.mutable_device() = options_.device;
  v1::RegisterWorkerResponse response;
  grpc::ClientContext context;
  SetDeadline(context, kCallGrace);
  ASSAY_RETURN_IF_ERROR(FromGrpcStatus(
      options_.stub->RegisterWorker(&context, request, &response)));
  lease_ttl_ = FromProto(response.lease_ttl(), absl::Seconds(30));
  heartbeat_interval_ =
      FromProto(response.heartbeat_interval(), absl::Seconds(10));
  poll_ = FromProto(response.poll(), absl::Seconds(20));
  spool_time_ = FromProto(response.spool_time(), absl::Minutes(10));
  stop_grace_ = FromProto(response.stop_grace(), absl::Seconds(60));
  LogInfo("registered",
          {{"worker", options_.worker_id}, {"session", session_id_}});
  return absl::OkStatus();
}

absl::StatusOr<v1::AcquireLeaseResponse> LeaseLoop::Acquire(
    const absl::Status& readiness) {
  v1::AcquireLeaseRequest request;
  request.set_worker_id(options_.worker_id);
  request.set_session_id(session_id_);
  request.set_request_id(request_id_);
  if (!readiness.ok()) {
    LogWarning("the device cannot take work",
               {{"reason", std::string(readiness.message())}});
    request.set_unwell_reason(
        std::string(readiness.message().substr(0, kMaxReasonBytes)));
  }
  v1::AcquireLeaseResponse response;
  grpc::ClientContext context;
  SetDeadline(context, poll_ + kCallGrace);
  {
    absl::MutexLock lock(&mutex_);
    if (stopping_) return absl::CancelledError("stopping");
    waiting_ = &context;
  }
  const absl::Status status =
      FromGrpcStatus(options_.stub->AcquireLease(&context, request, &response));
  absl::MutexLock lock(&mutex_);
  waiting_ = nullptr;
  if (!status.ok()) return status;
  request_id_ = RandomId("req-");
  return response;
}

void LeaseLoop::NoteHeldBack(const std::string& reason) {
  if (reason == held_back_reason_) return;
  held_back_reason_ = reason;
  if (reason.empty()) {
    LogInfo("the coordinator gives work again");
  } else {
    LogWarning("the coordinator gives no work", {{"reason", reason}});
  }
}

bool LeaseLoop::HasRoom() const {
  return running_ < options_.max_leases || stopping_;
}

absl::Status LeaseLoop::WaitForRoom() {
  absl::Duration pause;
  {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(this, &LeaseLoop::HasRoom));
    if (faulty_leases_ >= kMaxFaultyLeases) {
      return Annotate(last_fault_,
                      absl::StrCat("this worker failed ", faulty_leases_,
                                   " times in a row, the last time"));
    }
    // Others may do better with the jobs meanwhile.
    if (pause_due_) pause = options_.fault_pause * faulty_leases_;
    pause_due_ = false;
  }
  Pause(pause);
  return absl::OkStatus();
}

void LeaseLoop::NoteEnd(const absl::Status& carried_out) {
  absl::MutexLock lock(&mutex_);
  --running_;
  faulty_leases_ = carried_out.ok() ? 0 : faulty_leases_ + 1;
  pause_due_ = !carried_out.ok();
  if (!carried_out.ok()) last_fault_ = carried_out;
}

void LeaseLoop::Start(v1::Lease lease) {
  JoinFinishedThreads();
  {
    absl::MutexLock lock(&mutex_);
    ++running_;
  }
  auto finished = std::make_shared<std::atomic<bool>>(false);
  // Copies: the durations change when the worker registers anew.
  std::thread thread([this, lease = std::move(lease), finished,
                      ttl = lease_ttl_, heartbeat = heartbeat_interval_,
                      spool_time = spool_time_] {
    NoteEnd(CarryOut(lease, ttl, heartbeat, spool_time));
    *finished = true;
  });
  threads_.push_back({std::move(thread), std::move(finished)});
}

void LeaseLoop::JoinFinishedThreads() {
  for (auto it = threads_.begin(); it != threads_.end();) {
    if (!*it->finished) {
      ++it;
      continue;
    }
    it->thread.join();
    it = threads_.erase(it);
  }
}

absl::Status LeaseLoop::CarryOut(const v1::Lease& lease, absl::Duration ttl,
                                 absl::Duration heartbeat_interval,
                                 absl::Duration spool_time) {
  LeaseStream::Options options;
  options.stub = options_.stub;
  options.worker_id = options_.worker_id;
  options.session_id = session_id_;
  options.lease_id = lease.id();
  options.ttl = ttl;
  options.heartbeat_interval = heartbeat_interval;
  options.spool_time = spool_time;
  options.spool = options_.spool;
  absl::StatusOr<std::unique_ptr<LeaseStream>> stream =
      LeaseStream::Accept(std::move(options));
  if (!stream.ok()) {
    LogWarning("lease not accepted",
               {{"lease", lease.id()}, {"error", stream.status().ToString()}});
    return absl::OkStatus();
  }
  {
    absl::MutexLock lock(&mutex_);
    streams_.insert(stream->get());
    if (stopping_) (*stream)->StopAfterCurrent();
  }
  LogInfo("lease accepted", {{"lease", lease.id()},
                             {"solution", lease.solution().name()},
                             {"jobs", lease.jobs_size()}});
  absl::Status carried_out = options_.evaluate(lease, **stream);
  const absl::Status finished = (*stream)->Finish();
  {
    absl::MutexLock lock(&mutex_);
    streams_.erase(stream->get());
  }
  LogInfo("lease finished",
          {{"lease", lease.id()}, {"status", finished.ToString()}});
  return carried_out;
}

void LeaseLoop::Stop() {
  absl::MutexLock lock(&mutex_);
  stopping_ = true;
  if (waiting_ != nullptr) waiting_->TryCancel();
  for (LeaseStream* stream : streams_) stream->StopAfterCurrent();
}

bool LeaseLoop::stopping() const {
  absl::MutexLock lock(&mutex_);
  return stopping_;
}

void LeaseLoop::Pause(absl::Duration time) {
  absl::MutexLock lock(&mutex_);
  mutex_.AwaitWithTimeout(absl::Condition(&stopping_), time);
}

}  // namespace assay
