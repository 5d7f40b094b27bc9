// A coordinator on a free port of loopback under a fake clock, with stubs and a
// worker that does as it is told.

#ifndef ASSAY_SERVER_COORDINATOR_TESTING_H_
#define ASSAY_SERVER_COORDINATOR_TESTING_H_

#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "assay/v1/admin_service.grpc.pb.h"
#include "assay/v1/blob_service.grpc.pb.h"
#include "assay/v1/catalog_service.grpc.pb.h"
#include "assay/v1/evaluation_service.grpc.pb.h"
#include "assay/v1/leaderboard_service.grpc.pb.h"
#include "assay/v1/worker_service.grpc.pb.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/grpc_status.h"
#include "server/catalog/samples_testing.h"
#include "server/coordinator.h"

namespace assay {

class TestCoordinator {
 public:
  TestCoordinator() : folder_(TempDir::Create("assay-coordinator-").value()) {
    Restart();
  }

  // Stops it, if it runs, and starts it again on the same store.
  void Restart() {
    coordinator_.reset();
    Coordinator::Options options;
    options.listen = "127.0.0.1:0";
    options.http_listen = "127.0.0.1:0";
    options.store_path = store_path();
    options.clock = &clock_;
    options.tick = absl::InfiniteDuration();
    coordinator_ = Coordinator::Start(std::move(options)).value();
    channel_ = grpc::CreateChannel(coordinator_->address(),
                                   grpc::InsecureChannelCredentials());
  }

  // The same on a store that `make` writes to the path in its place.
  void RestartOn(const std::function<void(const std::string& path)>& make) {
    coordinator_.reset();
    for (const char* suffix : {"", "-wal", "-shm"}) {
      unlink(absl::StrCat(store_path(), suffix).c_str());
    }
    make(store_path());
    Restart();
  }

  // Moves the clock and lets the coordinator see what is due.
  void Advance(absl::Duration step) {
    clock_.Advance(step);
    coordinator_->Tick();
  }

  // Calls a unary method and waits, for a minute at most:
  //   Call<v1::AdminService>(&v1::AdminService::Stub::GetServerInfo, request)
  template <typename Service, typename Request, typename Response>
  absl::StatusOr<Response> Call(
      grpc::Status (Service::Stub::*method)(grpc::ClientContext*,
                                            const Request&, Response*),
      const Request& request) {
    const auto stub = Service::NewStub(channel_);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::minutes(1));
    Response response;
    const grpc::Status status = ((*stub).*method)(&context, request, &response);
    if (!status.ok()) return FromGrpcStatus(status);
    return response;
  }

  Coordinator& coordinator() { return *coordinator_; }
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  FakeClock& clock() { return clock_; }
  std::string store_path() const { return folder_.path() + "/assay.db"; }

 private:
  TempDir folder_;
  FakeClock clock_;
  std::unique_ptr<Coordinator> coordinator_;
  std::shared_ptr<grpc::Channel> channel_;
};

// One stream of RunLease, from the worker's side.
class TestLeaseStream {
 public:
  TestLeaseStream(const TestCoordinator& coordinator, const v1::Lease& lease,
                  std::string session_id)
      : lease_(lease),
        session_id_(std::move(session_id)),
        stub_(v1::WorkerService::NewStub(coordinator.channel())) {
    context_.set_deadline(std::chrono::system_clock::now() +
                          std::chrono::minutes(1));
    stream_ = stub_->RunLease(&context_);
  }

  void Accept() {
    v1::LeaseReport report = Report(0);
    report.mutable_accept();
    stream_->Write(report);
  }
  void Heartbeat() {
    v1::LeaseReport report = Report(0);
    report.mutable_heartbeat();
    stream_->Write(report);
  }
  void Stage(int64_t number, int job, v1::JobStage stage) {
    v1::LeaseReport report = Report(number);
    report.mutable_stage()->set_job_id(lease_.jobs(job).job_id());
    report.mutable_stage()->set_fence(lease_.jobs(job).fence());
    report.mutable_stage()->set_stage(stage);
    stream_->Write(report);
  }
  void Complete(int64_t number, int job, const v1::Evaluation& evaluation) {
    v1::LeaseReport report = Report(number);
    report.mutable_completed()->set_job_id(lease_.jobs(job).job_id());
    report.mutable_completed()->set_fence(lease_.jobs(job).fence());
    *report.mutable_completed()->mutable_evaluation() = evaluation;
    stream_->Write(report);
  }
  void Finish(int64_t number) {
    v1::LeaseReport report = Report(number);
    report.mutable_finished();
    stream_->Write(report);
  }
  void Write(const v1::LeaseReport& report) { stream_->Write(report); }

  // The next directive; nothing set at the end of the stream.
  v1::LeaseDirective Next() {
    v1::LeaseDirective directive;
    if (!stream_->Read(&directive)) directive.Clear();
    return directive;
  }
  // The number that the next directive acknowledges; -1 for another one.
  int64_t NextAcknowledged() {
    const v1::LeaseDirective directive = Next();
    return directive.has_acknowledged() ? directive.acknowledged().number()
                                        : -1;
  }

  void Break() { context_.TryCancel(); }
  // Reads to the end.
  absl::Status End() {
    v1::LeaseDirective directive;
    while (stream_->Read(&directive)) {
    }
    return FromGrpcStatus(stream_->Finish());
  }

  v1::LeaseReport Report(int64_t number) const {
    v1::LeaseReport report;
    report.set_lease_id(lease_.id());
    report.set_worker_id("worker");
    report.set_session_id(session_id_);
    report.set_number(number);
    return report;
  }

 private:
  const v1::Lease lease_;
  const std::string session_id_;
  std::unique_ptr<v1::WorkerService::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::LeaseReport, v1::LeaseDirective>>
      stream_;
};

// One stream of WatchSubmissions.
class TestWatch {
 public:
  TestWatch(const TestCoordinator& coordinator,
            const std::vector<std::string>& ids)
      : stub_(v1::EvaluationService::NewStub(coordinator.channel())) {
    context_.set_deadline(std::chrono::system_clock::now() +
                          std::chrono::minutes(1));
    v1::WatchSubmissionsRequest request;
    for (const std::string& id : ids) request.add_submission_ids(id);
    reader_ = stub_->WatchSubmissions(&context_, request);
  }

  // The next event; nothing set at the end of the stream.
  v1::SubmissionEvent Next() {
    v1::SubmissionEvent event;
    if (!reader_->Read(&event)) event.Clear();
    return event;
  }
  std::vector<v1::SubmissionEvent> Rest() {
    std::vector<v1::SubmissionEvent> events;
    v1::SubmissionEvent event;
    while (reader_->Read(&event)) events.push_back(event);
    return events;
  }
  absl::Status End() { return FromGrpcStatus(reader_->Finish()); }
  void Break() { context_.TryCancel(); }

 private:
  std::unique_ptr<v1::EvaluationService::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::SubmissionEvent>> reader_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_COORDINATOR_TESTING_H_
