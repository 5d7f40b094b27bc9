#include "server/evaluation/submissions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "base/status_testing.h"
#include "server/blob/blob_store.h"
#include "server/catalog/catalog.h"
#include "server/catalog/samples_testing.h"
#include "server/store/session_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SubmissionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(blobs_, BlobStore::Open(store_.folder() + "/blobs"));
    for (const char* name : {"scale_d64", "scale_other"}) {
      ASSERT_OK(store_.Run([&](Session& session) {
        return CreateDefinition(session, SampleDefinition(name));
      }));
    }
    for (const char* uuid : {"w1", "w2", "gpu"}) {
      v1::Workload workload = SampleWorkload(uuid);
      if (workload.uuid() == "gpu") workload.add_target_hardware("cuda");
      ASSERT_OK(AddWorkload("scale_d64", workload));
    }
    ASSERT_OK(AddWorkload("scale_other", SampleWorkload("other")));
  }

  absl::Status AddWorkload(const std::string& definition,
                           const v1::Workload& workload) {
    return store_
        .Run([&](Session& session) {
          return CreateWorkload(session, definition, workload, *blobs_);
        })
        .status();
  }

  static v1::CreateSubmissionRequest Request() {
    v1::CreateSubmissionRequest request;
    *request.mutable_solution() = SampleSolution();
    return request;
  }

  absl::StatusOr<v1::Submission> Submit(
      const v1::CreateSubmissionRequest& request) {
    const absl::Status valid = CheckSubmission(request);
    if (!valid.ok()) return valid;
    return store_.Run(
        [&](Session& session) { return CreateSubmission(session, request); });
  }

  std::vector<v1::Job> JobsOf(const std::string& submission) {
    const auto response = store_.Run([&](Session& session) {
      return session.jobs().List(submission, Paging::Parse(0, "", {}).value());
    });
    EXPECT_OK(response);
    return {response->jobs().begin(), response->jobs().end()};
  }

  std::vector<std::string> Workloads(const std::string& submission) {
    std::vector<std::string> uuids;
    for (const v1::Job& job : JobsOf(submission)) {
      uuids.push_back(job.workload_uuid());
    }
    return uuids;
  }

  TestStore store_;
  std::unique_ptr<BlobStore> blobs_;
};

TEST_F(SubmissionsTest, EveryFittingWorkloadBecomesAJob) {
  ASSERT_OK_AND_ASSIGN(const v1::Submission submission, Submit(Request()));
  EXPECT_EQ(submission.queued(), 2);
  EXPECT_EQ(submission.definition(), "scale_d64");
  EXPECT_EQ(submission.author(), "author");
  ASSERT_EQ(submission.skipped_size(), 1);
  EXPECT_EQ(submission.skipped(0).workload_uuid(), "gpu");
  EXPECT_TRUE(store_.effects().queue_grew);
  EXPECT_THAT(Workloads(submission.id()), ElementsAre("w1", "w2"));
}

TEST_F(SubmissionsTest, NamedWorkloadsInTheirOrderOnce) {
  v1::CreateSubmissionRequest request = Request();
  for (const char* uuid : {"w2", "w1", "w2"}) request.add_workload_uuids(uuid);
  ASSERT_OK_AND_ASSIGN(const v1::Submission submission, Submit(request));
  EXPECT_THAT(Workloads(submission.id()), ElementsAre("w2", "w1"));
}

TEST_F(SubmissionsTest, StoredSolutionByName) {
  ASSERT_OK_AND_ASSIGN(const v1::Submission first, Submit(Request()));
  v1::CreateSubmissionRequest request;
  request.set_solution_name("scale_python");
  ASSERT_OK_AND_ASSIGN(const v1::Submission second, Submit(request));
  EXPECT_NE(first.id(), second.id());
  EXPECT_EQ(first.solution_digest(), second.solution_digest());
}

TEST_F(SubmissionsTest, RepeatedRequestReturnsTheFirstSubmission) {
  v1::CreateSubmissionRequest request = Request();
  request.set_request_id("r1");
  ASSERT_OK_AND_ASSIGN(const v1::Submission first, Submit(request));
  ASSERT_OK_AND_ASSIGN(const v1::Submission second, Submit(request));
  EXPECT_EQ(first.id(), second.id());
  EXPECT_EQ(second.queued(), 2);
}

TEST_F(SubmissionsTest, WithoutRequestIdEachCallSubmits) {
  ASSERT_OK_AND_ASSIGN(const v1::Submission first, Submit(Request()));
  ASSERT_OK_AND_ASSIGN(const v1::Submission second, Submit(Request()));
  EXPECT_NE(first.id(), second.id());
}

TEST_F(SubmissionsTest, MissingThingsAreNotFound) {
  v1::CreateSubmissionRequest request;
  request.set_solution_name("nobody");
  EXPECT_THAT(Submit(request), StatusIs(absl::StatusCode::kNotFound,
                                        HasSubstr("solution \"nobody\"")));
  request = Request();
  request.mutable_solution()->set_definition("nothing");
  EXPECT_THAT(Submit(request), StatusIs(absl::StatusCode::kNotFound,
                                        HasSubstr("definition \"nothing\"")));
  request = Request();
  request.add_workload_uuids("w9");
  EXPECT_THAT(Submit(request), StatusIs(absl::StatusCode::kNotFound,
                                        HasSubstr("workload \"w9\"")));
}

TEST_F(SubmissionsTest, RefusedSubmissionStoresNoSolution) {
  v1::CreateSubmissionRequest request = Request();
  request.add_workload_uuids("w9");
  EXPECT_THAT(Submit(request), StatusIs(absl::StatusCode::kNotFound, _));
  request.Clear();
  request.set_solution_name("scale_python");
  EXPECT_THAT(Submit(request), StatusIs(absl::StatusCode::kNotFound, _));
}

TEST_F(SubmissionsTest, WorkloadOfAnotherDefinitionIsRefused) {
  v1::CreateSubmissionRequest request = Request();
  request.add_workload_uuids("other");
  EXPECT_THAT(Submit(request),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("belongs to the definition \"scale_other\"")));
}

TEST_F(SubmissionsTest, BadFieldsAreNamed) {
  using Change = std::function<void(v1::CreateSubmissionRequest&)>;
  const std::pair<Change, const char*> cases[] = {
      {[](auto& r) { r.set_request_id(std::string(101, 'x')); }, "request_id"},
      {[](auto& r) { r.set_priority(101); }, "priority \"101\""},
      {[](auto& r) { r.set_priority(-101); }, "priority \"-101\""},
      {[](auto& r) { r.add_hardware(""); }, "hardware \"\""},
      {[](auto& r) { r.add_hardware("cpu\ncuda"); }, "hardware"},
      {[](auto& r) { r.clear_what(); }, "solution is missing"},
      {[](auto& r) { r.mutable_solution()->clear_sources(); }, "sources"},
      {[](auto& r) { r.mutable_config()->set_warmup_runs(-1); },
       "config.warmup_runs \"-1\""},
      {[](auto& r) { r.mutable_config()->set_iterations(0); },
       "config.iterations \"0\""},
      {[](auto& r) { r.mutable_config()->set_num_trials(101); },
       "config.num_trials"},
      {[](auto& r) { r.mutable_config()->set_atol(-0.1); }, "config.atol"},
      {[](auto& r) { r.mutable_config()->set_rtol(std::nan("")); },
       "config.rtol"},
      {[](auto& r) { r.mutable_config()->set_required_matched_ratio(0); },
       "config.required_matched_ratio"},
      {[](auto& r) { r.mutable_config()->set_evaluator("perfect"); },
       "config.evaluator: unknown evaluator \"perfect\""},
      {[](auto& r) { r.mutable_config()->set_sampling_validation_trials(0); },
       "config.sampling_validation_trials"},
      {[](auto& r) { r.mutable_config()->set_sampling_tvd_threshold(1.1); },
       "config.sampling_tvd_threshold"},
      {[](auto& r) { r.mutable_config()->mutable_run_timeout(); },
       "config.run_timeout"},
      {[](auto& r) {
         r.mutable_config()->mutable_build_timeout()->set_seconds(90000);
       },
       "config.build_timeout"},
  };
  for (const auto& [change, words] : cases) {
    v1::CreateSubmissionRequest request = Request();
    change(request);
    EXPECT_THAT(Submit(request),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(words)));
  }
}

TEST_F(SubmissionsTest, MoreThan100000CellsAreRefused) {
  ASSERT_OK(store_.Run([&](Session& session) -> absl::Status {
    for (int i = 0; i < 998; ++i) {
      const auto stored =
          CreateWorkload(session, "scale_d64",
                         SampleWorkload(absl::StrCat("more-", i)), *blobs_);
      if (!stored.ok()) return stored.status();
    }
    return absl::OkStatus();
  }));
  v1::CreateSubmissionRequest request = Request();
  for (int i = 0; i < 100; ++i) request.add_hardware(absl::StrCat("rack-", i));
  EXPECT_THAT(Submit(request), StatusIs(absl::StatusCode::kInvalidArgument,
                                        HasSubstr("has 100100 cells")));
}

TEST_F(SubmissionsTest, JobKeepsEveryListOfItsHardware) {
  v1::CreateSubmissionRequest request = Request();
  request.add_workload_uuids("w1");
  request.add_hardware("rack-7");
  ASSERT_OK_AND_ASSIGN(const v1::Submission submission, Submit(request));
  const std::vector<v1::Job> jobs = JobsOf(submission.id());
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_THAT(jobs[0].hardware(), ElementsAre("rack-7"));
  ASSERT_OK_AND_ASSIGN(const Requirements requirements,
                       store_.Run([&](Session& session) {
                         return session.jobs().RequirementsOf(jobs[0].id());
                       }));
  EXPECT_THAT(requirements.hardware,
              ElementsAre(HardwareWords{"rack-7"}, HardwareWords{"cpu"}));
}

TEST_F(SubmissionsTest, CancelEndsEveryJobAndRepeats) {
  ASSERT_OK_AND_ASSIGN(const v1::Submission submission, Submit(Request()));
  for (int round = 0; round < 2; ++round) {
    ASSERT_OK_AND_ASSIGN(const v1::Submission cancelled,
                         store_.Run([&](Session& session) {
                           return CancelSubmission(session, submission.id());
                         }));
    EXPECT_EQ(cancelled.cancelled(), 2);
    EXPECT_EQ(cancelled.queued(), 0);
  }
  EXPECT_THAT(store_.Run([](Session& session) {
    return CancelSubmission(session, "sub-none");
  }),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("sub-none")));
}

TEST_F(SubmissionsTest, WaitingJobSaysWhatItWaitsFor) {
  ASSERT_OK_AND_ASSIGN(const v1::Submission submission, Submit(Request()));
  v1::Job job = JobsOf(submission.id())[0];
  job.clear_state();
  const auto annotate = [&](const std::vector<KnownWorker>& live) {
    return store_.Run(
        [&](Session& session) { return AnnotateWaiting(session, live, job); });
  };
  ASSERT_OK(annotate({}));
  EXPECT_EQ(job.note(), "");
  job.set_state(v1::QUEUED);
  ASSERT_OK(annotate({}));
  EXPECT_THAT(job.note(), HasSubstr("no worker is registered"));
  ASSERT_OK(annotate({{"w", SampleDevice()}}));
  EXPECT_EQ(job.note(), "");
}

}  // namespace
}  // namespace assay
