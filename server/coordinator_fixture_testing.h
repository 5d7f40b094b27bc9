// The fixture of the coordinator's tests: a coordinator, and the calls that
// most of them begin with.

#ifndef ASSAY_SERVER_COORDINATOR_FIXTURE_TESTING_H_
#define ASSAY_SERVER_COORDINATOR_FIXTURE_TESTING_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/status_testing.h"
#include "server/catalog/samples_testing.h"
#include "server/coordinator_testing.h"

namespace assay {

class CoordinatorTest : public ::testing::Test {
 protected:
  // The definition with two workloads.
  void Populate() {
    v1::CreateDefinitionRequest definition;
    *definition.mutable_definition() = SampleDefinition();
    ASSERT_OK(test_.Call<v1::CatalogService>(
        &v1::CatalogService::Stub::CreateDefinition, definition));
    for (const char* uuid : {"w1", "w2"}) {
      v1::CreateWorkloadRequest workload;
      workload.set_definition("scale_d64");
      *workload.mutable_workload() = SampleWorkload(uuid);
      ASSERT_OK(test_.Call<v1::CatalogService>(
          &v1::CatalogService::Stub::CreateWorkload, workload));
    }
  }

  std::string Submit(const std::string& name = "scale_python") {
    v1::CreateSubmissionRequest request;
    *request.mutable_solution() = SampleSolution(name);
    const auto submission = test_.Call<v1::EvaluationService>(
        &v1::EvaluationService::Stub::CreateSubmission, request);
    EXPECT_OK(submission);
    return submission.ok() ? submission->id() : "";
  }

  absl::Status Register(const std::string& session = "session") {
    v1::RegisterWorkerRequest request;
    request.set_worker_id("worker");
    request.set_session_id(session);
    *request.mutable_device() = SampleDevice();
    return test_
        .Call<v1::WorkerService>(&v1::WorkerService::Stub::RegisterWorker,
                                 request)
        .status();
  }

  absl::StatusOr<v1::AcquireLeaseResponse> Acquire(
      const std::string& session = "session") {
    v1::AcquireLeaseRequest request;
    request.set_worker_id("worker");
    request.set_session_id(session);
    return test_.Call<v1::WorkerService>(&v1::WorkerService::Stub::AcquireLease,
                                         request);
  }

  v1::Lease AcquireLease() {
    const auto response = Acquire();
    EXPECT_OK(response);
    return response.ok() ? response->lease() : v1::Lease();
  }

  v1::Submission GetSubmission(const std::string& id) {
    v1::GetSubmissionRequest request;
    request.set_id(id);
    return test_
        .Call<v1::EvaluationService>(
            &v1::EvaluationService::Stub::GetSubmission, request)
        .value_or(v1::Submission());
  }

  v1::WorkerRecord Worker() {
    v1::GetWorkerRequest request;
    request.set_worker_id("worker");
    return test_
        .Call<v1::WorkerService>(&v1::WorkerService::Stub::GetWorker, request)
        .value_or(v1::WorkerRecord());
  }

  // Runs the whole lease with one verdict for each job.
  void RunToEnd(const v1::Lease& lease, const v1::Evaluation& evaluation) {
    TestLeaseStream stream(test_, lease, "session");
    stream.Accept();
    EXPECT_EQ(stream.NextAcknowledged(), 0);
    int number = 0;
    for (int job = 0; job < lease.jobs_size(); ++job) {
      stream.Complete(++number, job, evaluation);
    }
    stream.Finish(++number);
    EXPECT_OK(stream.End());
  }

  TestCoordinator test_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_COORDINATOR_FIXTURE_TESTING_H_
