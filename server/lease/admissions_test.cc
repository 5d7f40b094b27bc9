#include "server/lease/admissions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status_testing.h"
#include "server/lease/leases_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class AdmissionsTest : public LeasesTest {
 protected:
  absl::StatusOr<v1::WorkerRecord> Drain(const std::string& reason = "") {
    return store_.Run([&](Session& session) {
      return DrainWorker(session, "worker", reason);
    });
  }
  absl::StatusOr<v1::WorkerRecord> Undrain() {
    return store_.Run(
        [](Session& session) { return UndrainWorker(session, "worker"); });
  }
  absl::StatusOr<v1::WorkerRecord> Quarantine(const std::string& reason = "") {
    return store_.Run([&](Session& session) {
      return QuarantineWorker(session, "worker", reason);
    });
  }
  absl::StatusOr<v1::WorkerRecord> Release() {
    return store_.Run(
        [](Session& session) { return ReleaseWorker(session, "worker"); });
  }
};

TEST_F(AdmissionsTest, DrainedWorkerKeepsItsLeaseAndGetsNoOther) {
  const std::string submission = Submit("a");
  const v1::Lease lease = AcquireAndAccept();
  Submit("b");
  ASSERT_OK_AND_ASSIGN(const v1::WorkerRecord drained, Drain("new driver"));
  EXPECT_EQ(drained.hold_reason(), "new driver");
  EXPECT_THAT(store_.effects().drained_leases, ElementsAre(lease.id()));
  ASSERT_OK_AND_ASSIGN(const auto none, Acquire());
  EXPECT_FALSE(none.has_lease());
  EXPECT_THAT(none.held_back_reason(), HasSubstr("drained: new driver"));
  ASSERT_OK(Completed(lease, 1, 0, SampleEvaluation()));
  ASSERT_OK_AND_ASSIGN(const ReportOutcome again, Accept(lease));
  EXPECT_TRUE(again.drain);
  ASSERT_OK(Finished(lease, 2));
  EXPECT_EQ(Submission(submission).completed(), 1);
  EXPECT_EQ(Submission(submission).queued(), 1);
}

TEST_F(AdmissionsTest, DrainOutlivesANewProcessAndEndsWithUndrain) {
  Submit();
  ASSERT_OK(Drain());
  Register("worker", "session-2");
  ASSERT_OK_AND_ASSIGN(const auto none, Acquire("", "worker", "session-2"));
  EXPECT_THAT(none.held_back_reason(), HasSubstr("by an operator"));
  ASSERT_OK_AND_ASSIGN(const v1::WorkerRecord open, Undrain());
  EXPECT_EQ(open.hold_reason(), "");
  EXPECT_TRUE(store_.effects().worker_admitted);
  ASSERT_OK_AND_ASSIGN(const auto some, Acquire("", "worker", "session-2"));
  EXPECT_THAT(some.lease().jobs(), SizeIs(2));
}

TEST_F(AdmissionsTest, QuarantineTakesTheLeasesAway) {
  const std::string submission = Submit();
  const v1::Lease lease = AcquireAndAccept();
  ASSERT_OK(Quarantine("wrong clocks"));
  EXPECT_THAT(store_.effects().revoked_leases, ElementsAre(lease.id()));
  EXPECT_EQ(Submission(submission).queued(), 2);
  EXPECT_THAT(Completed(lease, 1, 0, SampleEvaluation()),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("is lost")));
  ASSERT_OK_AND_ASSIGN(const auto none, Acquire());
  EXPECT_THAT(none.held_back_reason(), HasSubstr("quarantined: wrong clocks"));
  ASSERT_OK(Release());
  ASSERT_OK_AND_ASSIGN(const auto some, Acquire());
  EXPECT_THAT(some.lease().jobs(), SizeIs(2));
}

TEST_F(AdmissionsTest, VerbsNameTheStateTheyDoNotLeadFrom) {
  ASSERT_OK(Drain());
  EXPECT_OK(Drain());
  EXPECT_THAT(Release(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                  HasSubstr("is drained")));
  ASSERT_OK(Quarantine());
  EXPECT_THAT(Drain(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                HasSubstr("is quarantined")));
  EXPECT_THAT(Undrain(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                  HasSubstr("is quarantined")));
  ASSERT_OK(Release());
  EXPECT_OK(Release());
  EXPECT_OK(Undrain());
  EXPECT_THAT(store_.Run([](Session& session) {
    return DrainWorker(session, "nobody", "");
  }),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"nobody\"")));
}

TEST_F(AdmissionsTest, WorkerThatDoesNotStopACancelledJobIsQuarantined) {
  Submit();
  const v1::Lease lease = AcquireAndAccept();
  const auto quarantine = [&] {
    return store_.Run([&](Session& session) {
      return QuarantineHolder(session, lease.id(), lease.jobs(0).job_id());
    });
  };
  EXPECT_THAT(quarantine(), IsOkAndHolds(true));
  ASSERT_OK_AND_ASSIGN(const auto none, Acquire());
  EXPECT_THAT(none.held_back_reason(), HasSubstr(lease.jobs(0).job_id()));
  EXPECT_THAT(quarantine(), IsOkAndHolds(false));
}

}  // namespace
}  // namespace assay
