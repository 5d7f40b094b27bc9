// A coordinator for tests: the worker service on a loopback port, with one
// lease to give and faults on demand.

#ifndef ASSAY_WORKER_LEASE_FAKE_COORDINATOR_H_
#define ASSAY_WORKER_LEASE_FAKE_COORDINATOR_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "assay/v1/worker_service.grpc.pb.h"

namespace assay {

// Thread-safe.
class FakeCoordinator final : public v1::WorkerService::Service {
 public:
  FakeCoordinator() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    stub_ = v1::WorkerService::NewStub(
        grpc::CreateChannel("127.0.0.1:" + std::to_string(port_),
                            grpc::InsecureChannelCredentials()));
  }
  ~FakeCoordinator() override { server_->Shutdown(); }

  v1::WorkerService::StubInterface* stub() { return stub_.get(); }

  // The next streams break after this many stored reports; -1: never.
  void BreakAfter(int reports) {
    absl::MutexLock lock(&mutex_);
    break_after_ = reports;
  }
  // Streams from now on end with this status at once.
  void RefuseStreams(grpc::Status status) {
    absl::MutexLock lock(&mutex_);
    refusal_ = std::move(status);
  }
  // Reports are read but no longer answered.
  void FallSilent() {
    absl::MutexLock lock(&mutex_);
    silent_ = true;
  }
  // The same, of a worker that is drained.
  void DrainOnFirstReport() {
    absl::MutexLock lock(&mutex_);
    drain_ = true;
  }
  // Sent when the first report has been stored.
  void CancelOnFirstReport(const std::string& job_id) {
    absl::MutexLock lock(&mutex_);
    cancel_job_ = job_id;
  }
  void OfferLease(const v1::Lease& lease) {
    absl::MutexLock lock(&mutex_);
    lease_ = lease;
  }
  // Answers AcquireLease with this, once.
  void FailAcquireOnce(grpc::Status status) {
    absl::MutexLock lock(&mutex_);
    acquire_failure_ = std::move(status);
  }

  // What calls for a lease said of the device, empty ones left out.
  std::vector<std::string> unwell_reasons() {
    absl::MutexLock lock(&mutex_);
    return unwell_reasons_;
  }

  // Numbered reports in the order stored.
  std::vector<v1::LeaseReport> stored() {
    absl::MutexLock lock(&mutex_);
    return stored_;
  }
  int streams() {
    absl::MutexLock lock(&mutex_);
    return streams_;
  }
  int registrations() {
    absl::MutexLock lock(&mutex_);
    return registrations_;
  }
  void AwaitStored(size_t count) {
    absl::MutexLock lock(&mutex_);
    const auto enough = [this, count]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      return stored_.size() >= count;
    };
    mutex_.Await(absl::Condition(&enough));
  }

  grpc::Status RegisterWorker(grpc::ServerContext*,
                              const v1::RegisterWorkerRequest* request,
                              v1::RegisterWorkerResponse* response) override {
    absl::MutexLock lock(&mutex_);
    ++registrations_;
    if (request->worker_id() == "refused") {
      return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "bad worker_id");
    }
    if (request->worker_id() == "replaced") {
      return grpc::Status(grpc::StatusCode::FAILED_PRECONDITION,
                          "used by a newer process");
    }
    response->mutable_lease_ttl()->set_seconds(5);
    response->mutable_heartbeat_interval()->set_seconds(1);
    response->mutable_poll()->set_seconds(1);
    response->mutable_stop_grace()->set_nanos(200000000);
    return grpc::Status::OK;
  }

  grpc::Status AcquireLease(grpc::ServerContext* context,
                            const v1::AcquireLeaseRequest* request,
                            v1::AcquireLeaseResponse* response) override {
    absl::MutexLock lock(&mutex_);
    if (!request->unwell_reason().empty()) {
      unwell_reasons_.push_back(request->unwell_reason());
      return grpc::Status::OK;
    }
    if (!acquire_failure_.ok()) {
      return std::exchange(acquire_failure_, grpc::Status::OK);
    }
    const auto wakes = [this, context]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      return lease_.has_definition() || context->IsCancelled();
    };
    for (int i = 0; i < 20 && !wakes(); ++i) {
      mutex_.AwaitWithTimeout(absl::Condition(&wakes), absl::Milliseconds(50));
    }
    if (lease_.has_definition()) {
      *response->mutable_lease() = std::exchange(lease_, v1::Lease());
    }
    return grpc::Status::OK;
  }

  grpc::Status RunLease(
      grpc::ServerContext*,
      grpc::ServerReaderWriter<v1::LeaseDirective, v1::LeaseReport>* stream)
      override {
    {
      absl::MutexLock lock(&mutex_);
      ++streams_;
      if (!refusal_.ok()) return refusal_;
    }
    v1::LeaseReport report;
    while (stream->Read(&report)) {
      v1::LeaseDirective answer;
      v1::LeaseDirective cancel;
      bool broken = false;
      {
        absl::MutexLock lock(&mutex_);
        if (silent_) continue;
        const int64_t last = stored_.empty() ? 0 : stored_.back().number();
        if (report.number() == last + 1) stored_.push_back(report);
        answer.mutable_acknowledged()->set_number(
            stored_.empty() ? 0 : stored_.back().number());
        if (report.number() > 0 && break_after_ > 0) {
          broken = --break_after_ == 0;
        }
        if (report.number() == 1 && !cancel_job_.empty()) {
          cancel.mutable_cancel()->add_job_ids(cancel_job_);
        }
        if (report.number() == 1 && drain_) cancel.mutable_drain();
      }
      // Stored, but the worker never learns of it on this stream.
      if (broken) return grpc::Status(grpc::StatusCode::UNAVAILABLE, "cut");
      if (cancel.directive_case() != v1::LeaseDirective::DIRECTIVE_NOT_SET) {
        stream->Write(cancel);
      }
      stream->Write(answer);
      if (report.has_finished()) return grpc::Status::OK;
    }
    return grpc::Status::OK;
  }

 private:
  absl::Mutex mutex_;
  int break_after_ ABSL_GUARDED_BY(mutex_) = -1;
  grpc::Status refusal_ ABSL_GUARDED_BY(mutex_);
  grpc::Status acquire_failure_ ABSL_GUARDED_BY(mutex_);
  bool silent_ ABSL_GUARDED_BY(mutex_) = false;
  std::string cancel_job_ ABSL_GUARDED_BY(mutex_);
  bool drain_ ABSL_GUARDED_BY(mutex_) = false;
  v1::Lease lease_ ABSL_GUARDED_BY(mutex_);
  std::vector<v1::LeaseReport> stored_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> unwell_reasons_ ABSL_GUARDED_BY(mutex_);
  int streams_ ABSL_GUARDED_BY(mutex_) = 0;
  int registrations_ ABSL_GUARDED_BY(mutex_) = 0;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<v1::WorkerService::Stub> stub_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_LEASE_FAKE_COORDINATOR_H_
