// A store with a definition, workloads and workers, and the calls of leases on
// it, for tests.

#ifndef ASSAY_SERVER_LEASE_LEASES_TESTING_H_
#define ASSAY_SERVER_LEASE_LEASES_TESTING_H_

#include <gtest/gtest.h>

#include "base/status_testing.h"
#include "server/blob/blob_store.h"
#include "server/catalog/catalog.h"
#include "server/catalog/samples_testing.h"
#include "server/evaluation/submissions.h"
#include "server/lease/leases.h"
#include "server/lease/reports.h"
#include "server/store/session_testing.h"

namespace assay {

class LeasesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(blobs_, BlobStore::Open(store_.folder() + "/blobs"));
    ASSERT_OK(store_.Run([&](Session& session) {
      return CreateDefinition(session, SampleDefinition());
    }));
    for (const char* uuid : {"w1", "w2"}) {
      ASSERT_OK(store_.Run([&](Session& session) {
        return CreateWorkload(session, "scale_d64", SampleWorkload(uuid),
                              *blobs_);
      }));
    }
    Register("worker", "session");
  }

  absl::Status TryRegister(const std::string& worker,
                           const std::string& session_id) {
    v1::RegisterWorkerRequest request;
    request.set_worker_id(worker);
    request.set_session_id(session_id);
    *request.mutable_device() = SampleDevice();
    presence_.Touch(worker);
    return store_
        .Run([&](Session& session) { return RegisterWorker(session, request); })
        .status();
  }

  void Register(const std::string& worker, const std::string& session_id) {
    ASSERT_OK(TryRegister(worker, session_id));
  }

  std::string Submit(const std::string& solution = "scale_python") {
    v1::CreateSubmissionRequest request;
    *request.mutable_solution() = SampleSolution(solution);
    const auto submission = store_.Run(
        [&](Session& session) { return CreateSubmission(session, request); });
    EXPECT_OK(submission);
    return submission->id();
  }

  // Takes what is queued with one lease and accepts it.
  v1::Lease AcquireAndAccept() {
    const auto response = Acquire();
    EXPECT_OK(response);
    EXPECT_TRUE(response.ok() && response->has_lease());
    if (!response.ok()) return v1::Lease();
    EXPECT_OK(Accept(response->lease()));
    return response->lease();
  }

  absl::StatusOr<v1::AcquireLeaseResponse> Acquire(
      const std::string& request_id = "", const std::string& worker = "worker",
      const std::string& session_id = "session", int max_jobs = 0) {
    v1::AcquireLeaseRequest request;
    request.set_worker_id(worker);
    request.set_session_id(session_id);
    request.set_request_id(request_id);
    request.set_max_jobs(max_jobs);
    const absl::StatusOr<Acquired> acquired = store_.Run([&](Session& session) {
      return AcquireLease(session, request, presence_);
    });
    if (!acquired.ok()) return acquired.status();
    presence_.NoteClass(worker, acquired->device_class);
    return acquired->response;
  }

  v1::LeaseReport Report(const v1::Lease& lease, int64_t number) {
    v1::LeaseReport report;
    report.set_lease_id(lease.id());
    report.set_worker_id("worker");
    report.set_session_id("session");
    report.set_number(number);
    return report;
  }

  absl::StatusOr<ReportOutcome> Send(const v1::LeaseReport& report) {
    return store_.Run(
        [&](Session& session) { return ApplyReport(session, report); });
  }

  absl::StatusOr<ReportOutcome> Accept(const v1::Lease& lease) {
    v1::LeaseReport report = Report(lease, 0);
    report.mutable_accept();
    return Send(report);
  }

  absl::StatusOr<ReportOutcome> Stage(const v1::Lease& lease, int64_t number,
                                      int job, v1::JobStage stage) {
    v1::LeaseReport report = Report(lease, number);
    report.mutable_stage()->set_job_id(lease.jobs(job).job_id());
    report.mutable_stage()->set_fence(lease.jobs(job).fence());
    report.mutable_stage()->set_stage(stage);
    return Send(report);
  }

  absl::StatusOr<ReportOutcome> Completed(const v1::Lease& lease,
                                          int64_t number, int job,
                                          const v1::Evaluation& evaluation) {
    v1::LeaseReport report = Report(lease, number);
    report.mutable_completed()->set_job_id(lease.jobs(job).job_id());
    report.mutable_completed()->set_fence(lease.jobs(job).fence());
    *report.mutable_completed()->mutable_evaluation() = evaluation;
    return Send(report);
  }

  absl::StatusOr<ReportOutcome> Finished(const v1::Lease& lease,
                                         int64_t number) {
    v1::LeaseReport report = Report(lease, number);
    report.mutable_finished();
    return Send(report);
  }

  void Expire(const v1::Lease& lease) {
    ASSERT_THAT(store_.Run([&](Session& session) {
      return ExpireLease(session, lease.id(), presence_);
    }),
                IsOkAndHolds(true));
  }

  v1::Job Job(const std::string& id) {
    const auto row =
        store_.Run([&](Session& session) { return session.jobs().Find(id); });
    EXPECT_TRUE(row.ok() && row->has_value());
    return (*row)->job;
  }

  v1::Submission Submission(const std::string& id) {
    return store_
        .Run([&](Session& session) { return session.submissions().Get(id); })
        .value();
  }

  int Failures(const v1::LeasedJob& job) {
    const auto row = store_.Run(
        [&](Session& session) { return session.jobs().Find(job.job_id()); });
    EXPECT_TRUE(row.ok() && row->has_value());
    return (*row)->failures;
  }

  int64_t TraceCount() {
    return store_
        .Run([](Session& session) {
          return session.traces().List({}, Paging::Parse(0, "", {}).value());
        })
        ->traces_size();
  }

  TestStore store_;
  Presence presence_{store_.clock(), absl::Seconds(30)};
  std::unique_ptr<BlobStore> blobs_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_LEASE_LEASES_TESTING_H_
