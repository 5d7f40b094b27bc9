#include "server/service/acquire_lease_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/synchronization/notification.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "server/blob/blob_store.h"
#include "server/catalog/catalog.h"
#include "server/catalog/samples_testing.h"
#include "server/evaluation/submissions.h"
#include "server/lease/leases.h"

namespace assay {
namespace {

using ::testing::SizeIs;

constexpr absl::Duration kTtl = absl::Seconds(30);
constexpr size_t kMaxWaiting = 2;

// Holds the store's writer until told to go on.
class Blocker {
 public:
  explicit Blocker(Store& store) {
    store.Write<bool>(
        [this](Session&) -> absl::StatusOr<bool> {
          started_.Notify();
          go_on_.WaitForNotification();
          return true;
        },
        [this](const absl::StatusOr<bool>&) { done_.Notify(); });
  }
  void AwaitStart() { started_.WaitForNotification(); }
  void GoOn() { go_on_.Notify(); }
  void AwaitDone() { done_.WaitForNotification(); }

 private:
  absl::Notification started_;
  absl::Notification go_on_;
  absl::Notification done_;
};

class AcquireLeaseCallTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-acquire-"));
    ASSERT_OK_AND_ASSIGN(blobs_, BlobStore::Open(folder_->path() + "/blobs"));
    Store::Options options;
    options.path = folder_->path() + "/assay.db";
    options.max_waiting = kMaxWaiting;
    options.clock = &clock_;
    ASSERT_OK_AND_ASSIGN(store_, Store::Open(std::move(options)));
    ASSERT_OK(store_->WriteAndWait<bool>(
        [this](Session& session) { return Fill(session); }));
  }

  // A registered worker and a job for it.
  absl::StatusOr<bool> Fill(Session& session) {
    v1::RegisterWorkerRequest worker;
    worker.set_worker_id("worker");
    worker.set_session_id("session");
    *worker.mutable_device() = SampleDevice();
    v1::CreateSubmissionRequest request;
    *request.mutable_solution() = SampleSolution();
    for (const absl::Status& status :
         {RegisterWorker(session, worker).status(),
          CreateDefinition(session, SampleDefinition()).status(),
          CreateWorkload(session, "scale_d64", SampleWorkload(), *blobs_)
              .status(),
          CreateSubmission(session, request).status()}) {
      if (!status.ok()) return status;
    }
    return true;
  }

  absl::optional<TempDir> folder_;
  FakeClock clock_;
  Presence presence_{clock_, kTtl};
  LeaseMonitor monitor_{clock_, kTtl};
  Parking parking_;
  OpenCalls open_calls_;
  std::unique_ptr<BlobStore> blobs_;
  std::unique_ptr<Store> store_;
};

TEST_F(AcquireLeaseCallTest, LeaseThatNobodyTookIsWatchedWhenItCannotExpire) {
  LeaseContext context{*store_, presence_, monitor_, parking_, open_calls_,
                       clock_,  kTtl,      kTtl / 3, kTtl / 3};
  v1::AcquireLeaseRequest request;
  request.set_worker_id("worker");
  request.set_session_id("session");
  v1::AcquireLeaseResponse response;
  Blocker before(*store_);
  before.AwaitStart();
  AcquireLeaseCall* call =
      AcquireLeaseCall::Start(context, request, &response, "");
  call->OnCancel();
  // The lease is made in one group with this one; until that is committed the
  // queue is filled, so that the expiry is refused.
  Blocker with(*store_);
  before.GoOn();
  with.AwaitStart();
  for (size_t i = 0; i < kMaxWaiting; ++i) {
    store_->Write<bool>([](Session&) -> absl::StatusOr<bool> { return true; },
                        [](const absl::StatusOr<bool>&) {});
  }
  with.GoOn();
  with.AwaitDone();
  store_->Stop();
  call->OnDone();
  EXPECT_THAT(monitor_.TakeExpired(), SizeIs(0));
  clock_.Advance(kTtl + absl::Seconds(1));
  EXPECT_THAT(monitor_.TakeExpired(), SizeIs(1));
}

}  // namespace
}  // namespace assay
