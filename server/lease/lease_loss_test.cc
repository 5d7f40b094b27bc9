// Who is blamed when a worker is lost.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/status_testing.h"
#include "server/lease/leases_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;

class LeaseLossTest : public LeasesTest {
 protected:
  // The next two submissions, leased to one worker: while it measures for
  // one, it builds for the other.
  void AcquireTwo() {
    Submit("a");
    a_ = AcquireAndAccept();
    Submit("b");
    b_ = AcquireAndAccept();
  }
  // Ends what is queued or running, so that the next submissions come first.
  void CancelAll() {
    for (const v1::Lease& lease : {a_, b_}) {
      const std::string id = Job(lease.jobs(0).job_id()).submission_id();
      ASSERT_OK(store_.Run(
          [&](Session& session) { return CancelSubmission(session, id); }));
    }
  }
  // Nothing is heard of any worker for so long that every lease has run out.
  void FallSilent() { store_.clock().Advance(absl::Seconds(31)); }

  v1::Lease a_;
  v1::Lease b_;
};

TEST_F(LeaseLossTest, LossBlamesTheJobThatHadBegunAlone) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  const v1::Lease& lease = response.lease();
  ASSERT_OK(Accept(lease));
  ASSERT_OK(Stage(lease, 1, 0, v1::BUILD));
  ASSERT_OK(Stage(lease, 2, 1, v1::BUILD));
  ASSERT_OK(Stage(lease, 3, 1, v1::MEASURE));
  Expire(lease);
  EXPECT_EQ(Failures(lease.jobs(0)), 0);
  EXPECT_EQ(Failures(lease.jobs(1)), 1);
}

TEST_F(LeaseLossTest, LossDuringTheBuildBlamesTheFirstJobLeft) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  const v1::Lease& lease = response.lease();
  ASSERT_OK(Accept(lease));
  ASSERT_OK(Stage(lease, 1, 0, v1::BUILD));
  ASSERT_OK(Stage(lease, 2, 1, v1::BUILD));
  Expire(lease);
  EXPECT_EQ(Failures(lease.jobs(0)), 1);
  EXPECT_EQ(Failures(lease.jobs(1)), 0);
}

TEST_F(LeaseLossTest, LossBeforeTheBuildBlamesNobody) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  Expire(response.lease());
  EXPECT_EQ(Failures(response.lease().jobs(0)), 0);
}

TEST_F(LeaseLossTest, WorkerIsLostWithAllItsLeasesWhicheverRunsOutFirst) {
  for (const bool measuring_first : {true, false}) {
    AcquireTwo();
    ASSERT_OK(Stage(a_, 1, 0, v1::MEASURE));
    ASSERT_OK(Stage(b_, 1, 0, v1::BUILD));
    ASSERT_OK(Stage(b_, 2, 1, v1::WAITING));
    FallSilent();
    Expire(measuring_first ? a_ : b_);
    EXPECT_THAT(store_.effects().revoked_leases, ElementsAre(a_.id(), b_.id()));
    EXPECT_EQ(Failures(a_.jobs(0)), 1);
    EXPECT_EQ(Failures(a_.jobs(1)), 0);
    EXPECT_EQ(Failures(b_.jobs(0)), 0);
    EXPECT_EQ(Failures(b_.jobs(1)), 0);
    EXPECT_THAT(store_.Run([&](Session& session) {
      return ExpireLease(session, (measuring_first ? b_ : a_).id(), presence_);
    }),
                IsOkAndHolds(false));
    CancelAll();
    presence_.Touch("worker");
  }
}

TEST_F(LeaseLossTest, WorkerThatIsHeardOfKeepsItsOtherLeases) {
  AcquireTwo();
  ASSERT_OK(Stage(a_, 1, 0, v1::MEASURE));
  ASSERT_OK(Stage(b_, 1, 0, v1::BUILD));
  FallSilent();
  presence_.Touch("worker");
  Expire(b_);
  EXPECT_THAT(store_.effects().revoked_leases, ElementsAre(b_.id()));
  EXPECT_EQ(Failures(b_.jobs(0)), 0);
  EXPECT_EQ(Job(b_.jobs(0).job_id()).state(), v1::QUEUED);
  EXPECT_EQ(Job(a_.jobs(0).job_id()).state(), v1::RUNNING);
  EXPECT_OK(Completed(a_, 2, 0, SampleEvaluation()));
}

TEST_F(LeaseLossTest, EveryJobThatHadBegunIsBlamed) {
  AcquireTwo();
  ASSERT_OK(Stage(a_, 1, 0, v1::MEASURE));
  ASSERT_OK(Stage(b_, 1, 1, v1::START));
  FallSilent();
  Expire(a_);
  EXPECT_EQ(Failures(a_.jobs(0)), 1);
  EXPECT_EQ(Failures(b_.jobs(0)), 0);
  EXPECT_EQ(Failures(b_.jobs(1)), 1);
}

TEST_F(LeaseLossTest, OneBuildAnswersForAll) {
  AcquireTwo();
  ASSERT_OK(Stage(a_, 1, 0, v1::BUILD));
  ASSERT_OK(Stage(b_, 1, 0, v1::BUILD));
  FallSilent();
  Expire(b_);
  EXPECT_EQ(Failures(a_.jobs(0)), 1);
  EXPECT_EQ(Failures(b_.jobs(0)), 0);
}

TEST_F(LeaseLossTest, BuildIsSuspectedBeforeWhatIsBuilt) {
  AcquireTwo();
  ASSERT_OK(Stage(a_, 1, 0, v1::WAITING));
  ASSERT_OK(Stage(b_, 1, 0, v1::BUILD));
  FallSilent();
  Expire(a_);
  EXPECT_EQ(Failures(a_.jobs(0)), 0);
  EXPECT_EQ(Failures(b_.jobs(0)), 1);
}

TEST_F(LeaseLossTest, WhatIsBuiltIsSuspectedLast) {
  AcquireTwo();
  ASSERT_OK(Stage(b_, 1, 0, v1::WAITING));
  FallSilent();
  Expire(a_);
  EXPECT_EQ(Failures(a_.jobs(0)), 0);
  EXPECT_EQ(Failures(b_.jobs(0)), 1);
}

TEST_F(LeaseLossTest, NewSessionBlamesWhatTheOldOneMeasuredAlone) {
  AcquireTwo();
  ASSERT_OK(Stage(a_, 1, 0, v1::BUILD));
  ASSERT_OK(Stage(b_, 1, 0, v1::MEASURE));
  Register("worker", "session-2");
  EXPECT_THAT(store_.effects().revoked_leases, ElementsAre(a_.id(), b_.id()));
  EXPECT_EQ(Failures(a_.jobs(0)), 0);
  EXPECT_EQ(Failures(b_.jobs(0)), 1);
}

TEST_F(LeaseLossTest, OtherWorkersLoseNothing) {
  Submit("a");
  a_ = AcquireAndAccept();
  Register("other", "session");
  Submit("b");
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire("", "other"));
  ASSERT_TRUE(response.has_lease());
  FallSilent();
  Expire(a_);
  EXPECT_THAT(store_.effects().revoked_leases, ElementsAre(a_.id()));
}

}  // namespace
}  // namespace assay
