#include "worker/lease/lease_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "worker/lease/fake_coordinator.h"

namespace assay {
namespace {

using testing::HasSubstr;

class LeaseLoopTest : public testing::Test {
 protected:
  LeaseLoop::Options Options() {
    LeaseLoop::Options options;
    options.stub = coordinator_.stub();
    options.worker_id = "w";
    options.evaluate = [](const v1::Lease& lease, JobObserver& observer) {
      for (const v1::LeasedJob& job : lease.jobs()) {
        if (observer.IsOff(job.job_id())) continue;
        observer.ReportStage(job, v1::INPUTS);
        observer.ReportCompleted(job, {});
      }
      return absl::OkStatus();
    };
    return options;
  }

  static v1::Lease LeaseOf(std::vector<std::string> job_ids) {
    v1::Lease lease;
    lease.set_id("l");
    lease.mutable_definition()->set_name("d");
    for (const std::string& id : job_ids) lease.add_jobs()->set_job_id(id);
    return lease;
  }

  FakeCoordinator coordinator_;
};

TEST_F(LeaseLoopTest, CarriesOutALeaseAndAsksAgain) {
  LeaseLoop loop(Options());
  absl::Status status;
  std::thread thread([&] { status = loop.Run(); });
  coordinator_.OfferLease(LeaseOf({"a", "b"}));
  coordinator_.AwaitStored(5);
  loop.Stop();
  thread.join();
  EXPECT_OK(status);
  const std::vector<v1::LeaseReport> stored = coordinator_.stored();
  ASSERT_EQ(stored.size(), 5u);
  EXPECT_EQ(stored[1].completed().job_id(), "a");
  EXPECT_EQ(stored[3].completed().job_id(), "b");
  EXPECT_TRUE(stored[4].has_finished());
}

TEST_F(LeaseLoopTest, StopDuringALeaseGivesTheRestBack) {
  LeaseLoop* running = nullptr;
  LeaseLoop::Options options = Options();
  options.evaluate = [&](const v1::Lease& lease, JobObserver& observer) {
    observer.ReportStage(lease.jobs(0), v1::INPUTS);
    running->Stop();
    EXPECT_FALSE(observer.IsOff("a"));
    EXPECT_TRUE(observer.IsOff("b"));
    observer.ReportCompleted(lease.jobs(0), {});
    return absl::OkStatus();
  };
  LeaseLoop loop(options);
  running = &loop;
  coordinator_.OfferLease(LeaseOf({"a", "b"}));
  EXPECT_OK(loop.Run());
  EXPECT_TRUE(coordinator_.stored().back().has_finished());
}

TEST_F(LeaseLoopTest, JobThatOutlivesTheGraceIsGivenBack) {
  LeaseLoop* running = nullptr;
  LeaseLoop::Options options = Options();
  options.evaluate = [&](const v1::Lease& lease, JobObserver& observer) {
    observer.ReportStage(lease.jobs(0), v1::MEASURE);
    running->Stop();
    while (!observer.IsOff("a")) absl::SleepFor(absl::Milliseconds(1));
    return absl::OkStatus();
  };
  LeaseLoop loop(options);
  running = &loop;
  coordinator_.OfferLease(LeaseOf({"a"}));
  EXPECT_OK(loop.Run());
  const auto stored = coordinator_.stored();
  ASSERT_EQ(stored.size(), 2);
  EXPECT_TRUE(stored[0].has_stage());
  EXPECT_TRUE(stored[1].has_finished());
}

TEST_F(LeaseLoopTest, DeliversWhatAnEarlierProcessLeftBeforeItRegisters) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-spool-"));
  ASSERT_OK_AND_ASSIGN(const auto spool, ReportSpool::Open(folder.path()));
  v1::LeaseReport report;
  report.set_lease_id("old");
  report.set_worker_id("w");
  report.set_session_id("of the earlier process");
  report.mutable_accept();
  const auto file = spool->Start(report, absl::Minutes(10));
  report.set_number(1);
  report.mutable_completed()->set_job_id("a");
  file->Append(report);
  LeaseLoop::Options options = Options();
  options.spool = spool.get();
  int stored_before = -1;
  options.on_registered = [&] {
    stored_before = static_cast<int>(coordinator_.stored().size());
  };
  LeaseLoop loop(options);
  absl::Status status;
  std::thread thread([&] { status = loop.Run(); });
  coordinator_.OfferLease(LeaseOf({"b"}));
  // Numbers begin anew, and the fake takes the next one only.
  coordinator_.AwaitStored(3);
  loop.Stop();
  thread.join();
  EXPECT_OK(status);
  EXPECT_EQ(stored_before, 1);
  EXPECT_EQ(coordinator_.stored()[0].session_id(), "of the earlier process");
  EXPECT_TRUE(spool->TakeLeft().empty());
}

TEST_F(LeaseLoopTest, StaleSessionRegistersAgain) {
  coordinator_.FailAcquireOnce(
      grpc::Status(grpc::StatusCode::ABORTED, "unknown session"));
  LeaseLoop loop(Options());
  std::thread thread([&] { EXPECT_OK(loop.Run()); });
  coordinator_.OfferLease(LeaseOf({"a"}));
  coordinator_.AwaitStored(3);
  loop.Stop();
  thread.join();
  EXPECT_EQ(coordinator_.registrations(), 2);
}

TEST_F(LeaseLoopTest, UnreachableCoordinatorIsTriedAgain) {
  coordinator_.FailAcquireOnce(
      grpc::Status(grpc::StatusCode::UNAVAILABLE, "restarting"));
  LeaseLoop loop(Options());
  std::thread thread([&] { EXPECT_OK(loop.Run()); });
  coordinator_.OfferLease(LeaseOf({"a"}));
  coordinator_.AwaitStored(3);
  loop.Stop();
  thread.join();
  EXPECT_EQ(coordinator_.registrations(), 1);
}

TEST_F(LeaseLoopTest, WorkerThatFailsAgainAndAgainEnds) {
  LeaseLoop::Options options = Options();
  options.fault_pause = absl::ZeroDuration();
  int leases = 0;
  options.evaluate = [&](const v1::Lease&, JobObserver&) {
    ++leases;
    coordinator_.OfferLease(LeaseOf({"a"}));
    return absl::InternalError("the disk is full");
  };
  coordinator_.OfferLease(LeaseOf({"a"}));
  EXPECT_THAT(LeaseLoop(options).Run(),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("failed 5 times in a row, the last time: the "
                                 "disk is full")));
  EXPECT_EQ(leases, 5);
}

TEST_F(LeaseLoopTest, HoldsAsManyLeasesAsAllowed) {
  LeaseLoop::Options options = Options();
  options.max_leases = 3;
  absl::Mutex mutex;
  int begun = 0;
  int running = 0;
  int most = 0;
  options.evaluate = [&](const v1::Lease&, JobObserver&) {
    absl::MutexLock lock(&mutex);
    ++begun;
    most = std::max(most, ++running);
    // The first three wait for one another.
    const auto all_begun = [&] { return begun >= 3; };
    mutex.Await(absl::Condition(&all_begun));
    if (begun < 6) coordinator_.OfferLease(LeaseOf({"a"}));
    --running;
    return absl::OkStatus();
  };
  LeaseLoop loop(options);
  std::thread thread([&] { EXPECT_OK(loop.Run()); });
  for (int lease = 1; lease <= 6; ++lease) {
    if (lease <= 3) coordinator_.OfferLease(LeaseOf({"a"}));
    absl::MutexLock lock(&mutex);
    const auto is_begun = [&] { return begun >= lease; };
    mutex.Await(absl::Condition(&is_begun));
  }
  loop.Stop();
  thread.join();
  EXPECT_EQ(most, 3);
}

TEST_F(LeaseLoopTest, TellsWhyTheDeviceCannotTakeWorkUntilItCan) {
  LeaseLoop::Options options = Options();
  options.unwell_pause = absl::ZeroDuration();
  int checks = 0;
  options.check_ready = [&] {
    ++checks;
    return checks <= 2 ? absl::FailedPreconditionError("somebody else uses it")
                       : absl::OkStatus();
  };
  coordinator_.OfferLease(LeaseOf({"a"}));
  LeaseLoop loop(options);
  std::thread thread([&] { EXPECT_OK(loop.Run()); });
  coordinator_.AwaitStored(3);
  loop.Stop();
  thread.join();
  EXPECT_THAT(
      coordinator_.unwell_reasons(),
      testing::ElementsAre("somebody else uses it", "somebody else uses it"));
}

TEST_F(LeaseLoopTest, RefusedRegistrationEndsTheLoop) {
  LeaseLoop::Options options = Options();
  options.worker_id = "refused";
  EXPECT_THAT(
      LeaseLoop(options).Run(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("bad worker_id")));
}

TEST_F(LeaseLoopTest, ReplacedProcessEndsWithTheReason) {
  LeaseLoop::Options options = Options();
  options.worker_id = "replaced";
  EXPECT_THAT(LeaseLoop(options).Run(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("used by a newer process")));
}

TEST_F(LeaseLoopTest, StopEndsAWaitingLoop) {
  LeaseLoop::Options options = Options();
  LeaseLoop* running = nullptr;
  options.on_registered = [&] { running->Stop(); };
  LeaseLoop loop(options);
  running = &loop;
  EXPECT_OK(loop.Run());
}

}  // namespace
}  // namespace assay
