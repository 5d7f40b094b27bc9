#include "tests/load/simulated_worker.h"

#include <chrono>
#include <deque>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "base/grpc_status.h"
#include "base/random_id.h"
#include "tests/load/samples.h"

namespace assay::load {
namespace {

// Longer than any poll or lease of a load test.
constexpr auto kCallDeadline = std::chrono::minutes(10);

// Made once: a worker takes longer over an evaluation than over its message.
const v1::Evaluation& NextEvaluation() {
  static const std::vector<v1::Evaluation>& evaluations = *[] {
    auto* made = new std::vector<v1::Evaluation>;
    for (uint64_t i = 0; i < 100; ++i) made->push_back(MakeEvaluation(i));
    return made;
  }();
  static std::atomic<size_t> next = 0;
  return evaluations[next++ % evaluations.size()];
}

}  // namespace

// One stream of RunLease: accepts, reports on every job, finishes.
class SimulatedWorker::LeaseRun final
    : public grpc::ClientBidiReactor<v1::LeaseReport, v1::LeaseDirective> {
 public:
  LeaseRun(SimulatedWorker& worker, v1::Lease lease)
      : worker_(worker), lease_(std::move(lease)) {
    report_.set_lease_id(lease_.id());
    report_.set_worker_id(worker_.options_.id);
    report_.set_session_id(worker_.session_id_);
  }

  void Start(grpc::ClientContext& context) {
    worker_.stub_->async()->RunLease(&context, this);
    report_.mutable_accept();
    StartRead(&directive_);
    StartWrite(&report_);
    StartCall();
  }

  void OnWriteDone(bool ok) override {
    if (ok && FillNext()) StartWrite(&report_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    if (directive_.has_acknowledged()) {
      NoteAcknowledged(directive_.acknowledged().number());
    }
    StartRead(&directive_);
  }

  void OnDone(const grpc::Status& status) override {
    worker_.OnLeaseEnd(FromGrpcStatus(status));
  }

 private:
  struct Sent {
    int64_t number = 0;
    absl::Time time;
  };

  // The next report; false when all are sent.
  bool FillNext() {
    if (finished_) return false;
    report_.set_number(++number_);
    if (job_ >= lease_.jobs_size()) {
      finished_ = true;
      report_.mutable_finished();
      return true;
    }
    const v1::LeasedJob& job = lease_.jobs(job_);
    if (stage_ < worker_.options_.stages) {
      v1::LeaseReport::Stage& stage = *report_.mutable_stage();
      stage.set_job_id(job.job_id());
      stage.set_fence(job.fence());
      stage.set_stage(static_cast<v1::JobStage>(v1::BUILD + stage_++ % 6));
      return true;
    }
    v1::LeaseReport::Completed& completed = *report_.mutable_completed();
    completed.set_job_id(job.job_id());
    completed.set_fence(job.fence());
    *completed.mutable_evaluation() = NextEvaluation();
    stage_ = 0;
    ++job_;
    absl::MutexLock lock(&mutex_);
    sent_.push_back({number_, absl::Now()});
    return true;
  }

  void NoteAcknowledged(int64_t number) {
    std::vector<absl::Time> recorded;
    {
      absl::MutexLock lock(&mutex_);
      while (!sent_.empty() && sent_.front().number <= number) {
        recorded.push_back(sent_.front().time);
        sent_.pop_front();
      }
    }
    if (worker_.options_.on_recorded == nullptr) return;
    const absl::Time now = absl::Now();
    for (const absl::Time time : recorded) {
      worker_.options_.on_recorded(now - time);
    }
  }

  SimulatedWorker& worker_;
  const v1::Lease lease_;
  // Touched by one write after the other.
  v1::LeaseReport report_;
  int64_t number_ = 0;
  int job_ = 0;
  int stage_ = 0;
  bool finished_ = false;
  // Touched by one read after the other.
  v1::LeaseDirective directive_;
  absl::Mutex mutex_;
  std::deque<Sent> sent_ ABSL_GUARDED_BY(mutex_);
};

SimulatedWorker::SimulatedWorker(Options options)
    : options_(std::move(options)),
      session_id_(RandomId("ses-")),
      stub_(v1::WorkerService::NewStub(options_.channel)) {}

SimulatedWorker::~SimulatedWorker() { Stop(); }

void SimulatedWorker::Start() {
  if (!BeginCall()) return;
  register_request_.set_worker_id(options_.id);
  register_request_.set_session_id(session_id_);
  *register_request_.mutable_device() = MakeDevice();
  stub_->async()->RegisterWorker(&NewContext(), &register_request_,
                                 &register_response_,
                                 [this](const grpc::Status& status) {
                                   if (status.ok()) {
                                     Ask();
                                   } else {
                                     Fail(FromGrpcStatus(status));
                                   }
                                   EndCall();
                                 });
}

void SimulatedWorker::Ask() {
  if (!BeginCall()) return;
  acquire_request_.set_worker_id(options_.id);
  acquire_request_.set_session_id(session_id_);
  acquire_request_.set_request_id(RandomId("req-"));
  acquire_request_.set_max_jobs(options_.max_jobs);
  acquire_response_.Clear();
  asking_ = true;
  stub_->async()->AcquireLease(&NewContext(), &acquire_request_,
                               &acquire_response_,
                               [this](const grpc::Status& status) {
                                 OnAnswer(status);
                                 EndCall();
                               });
}

void SimulatedWorker::OnAnswer(const grpc::Status& status) {
  asking_ = false;
  if (!status.ok()) return Fail(FromGrpcStatus(status));
  ++answers_;
  if (!acquire_response_.has_lease()) return Ask();
  if (!BeginCall()) return;
  run_ = std::make_unique<LeaseRun>(
      *this, std::move(*acquire_response_.mutable_lease()));
  run_->Start(NewContext());
}

void SimulatedWorker::OnLeaseEnd(const absl::Status& status) {
  // The next run replaces the one that calls this, as its last act.
  if (status.ok()) {
    Ask();
  } else {
    Fail(status);
  }
  EndCall();
}

bool SimulatedWorker::BeginCall() {
  absl::MutexLock lock(&mutex_);
  if (stopping_) return false;
  ++calls_;
  return true;
}

void SimulatedWorker::EndCall() {
  absl::MutexLock lock(&mutex_);
  --calls_;
}

void SimulatedWorker::Fail(const absl::Status& status) {
  {
    absl::MutexLock lock(&mutex_);
    if (stopping_) return;
  }
  if (options_.on_failed != nullptr) options_.on_failed(status);
}

grpc::ClientContext& SimulatedWorker::NewContext() {
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + kCallDeadline);
  absl::MutexLock lock(&mutex_);
  // The one before has ended, but is in use until its callback returns.
  previous_context_ = std::move(context_);
  context_ = std::move(context);
  if (stopping_) context_->TryCancel();
  return *context_;
}

void SimulatedWorker::Stop() {
  absl::MutexLock lock(&mutex_);
  stopping_ = true;
  if (context_ != nullptr) context_->TryCancel();
  const auto idle = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return calls_ == 0;
  };
  mutex_.Await(absl::Condition(&idle));
}

}  // namespace assay::load
