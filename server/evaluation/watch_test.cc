#include "server/evaluation/watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/synchronization/mutex.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "server/blob/blob_store.h"
#include "server/catalog/catalog.h"
#include "server/catalog/samples_testing.h"
#include "server/evaluation/submissions.h"

namespace assay {
namespace {

class WatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-watch-"));
    ASSERT_OK_AND_ASSIGN(blobs_, BlobStore::Open(folder_->path() + "/blobs"));
    Store::Options options;
    options.path = folder_->path() + "/assay.db";
    ASSERT_OK_AND_ASSIGN(store_, Store::Open(std::move(options)));
    ASSERT_OK_AND_ASSIGN(
        const v1::Submission submission,
        store_->WriteAndWait<v1::Submission>(
            [this](Session& session) { return Submit(session); }));
    id_ = submission.id();
  }

  absl::StatusOr<v1::Submission> Submit(Session& session) {
    for (const absl::Status& status :
         {CreateDefinition(session, SampleDefinition()).status(),
          CreateWorkload(session, "scale_d64", SampleWorkload(), *blobs_)
              .status()}) {
      if (!status.ok()) return status;
    }
    v1::CreateSubmissionRequest request;
    *request.mutable_solution() = SampleSolution();
    return CreateSubmission(session, request);
  }

  std::shared_ptr<Watch> Create(const std::string& id) {
    return Watch::Create({id}, *store_, hub_, presence_, [this] {
      absl::MutexLock lock(&mutex_);
      ready_ = true;
    });
  }

  // Waits where there is nothing yet.
  Watch::Next Take(Watch& watch) {
    while (true) {
      Watch::Next next = watch.Take();
      if (next.kind != Watch::Next::kWait) return next;
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(&ready_));
      ready_ = false;
    }
  }

  absl::optional<TempDir> folder_;
  EventHub hub_;
  Presence presence_{Clock::Real(), absl::Seconds(30)};
  absl::Mutex mutex_;
  bool ready_ = false;
  std::unique_ptr<BlobStore> blobs_;
  std::unique_ptr<Store> store_;
  std::string id_;
};

TEST_F(WatchTest, HubForgetsAWatchThatIsGone) {
  std::shared_ptr<Watch> watch = Create(id_);
  EXPECT_EQ(Take(*watch).event.submission().queued(), 1);
  EXPECT_EQ(hub_.size(), 1u);
  const std::shared_ptr<Watch> other = Create(id_);
  watch.reset();
  EXPECT_EQ(hub_.size(), 1u);
}

TEST_F(WatchTest, HubForgetsAWatchOfAnUnknownSubmission) {
  std::shared_ptr<Watch> watch = Create("sub-none");
  EXPECT_THAT(Take(*watch).status,
              StatusIs(absl::StatusCode::kNotFound, ::testing::_));
  store_->Stop();
  watch.reset();
  EXPECT_EQ(hub_.size(), 0u);
}

TEST_F(WatchTest, HubForgetsASubmissionThatIsFoundDone) {
  ASSERT_OK(store_->WriteAndWait<v1::Submission>(
      [this](Session& session) { return CancelSubmission(session, id_); }));
  const std::shared_ptr<Watch> watch = Create(id_);
  while (Take(*watch).kind != Watch::Next::kEnd) {
  }
  // Its readers are through with it.
  store_->Stop();
  EXPECT_EQ(hub_.size(), 0u);
}

TEST_F(WatchTest, UnsubscribedListenerHearsNothing) {
  const std::shared_ptr<Watch> watch = Create(id_);
  EXPECT_EQ(Take(*watch).kind, Watch::Next::kEvent);
  hub_.Unsubscribe(id_, watch);
  hub_.Unsubscribe(id_, watch);
  EXPECT_EQ(hub_.size(), 0u);
}

}  // namespace
}  // namespace assay
