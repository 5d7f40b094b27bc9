#include "client/watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_testing.h"
#include "client/client.h"
#include "client/fake_coordinator.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

v1::SubmissionEvent TraceOf(const std::string& job) {
  v1::SubmissionEvent event;
  event.mutable_trace()->set_job_id(job);
  return event;
}

v1::SubmissionEvent JobIn(const std::string& id, v1::JobState state) {
  v1::SubmissionEvent event;
  event.mutable_job()->set_id(id);
  event.mutable_job()->set_state(state);
  return event;
}

// One word per event.
std::string Word(const v1::SubmissionEvent& event) {
  switch (event.event_case()) {
    case v1::SubmissionEvent::kSubmission:
      return absl::StrCat("start ", event.submission_id());
    case v1::SubmissionEvent::kJob:
      return absl::StrCat(v1::JobState_Name(event.job().state()), " ",
                          event.job().id());
    case v1::SubmissionEvent::kTrace:
      return absl::StrCat("trace ", event.trace().job_id());
    case v1::SubmissionEvent::kDone:
      return absl::StrCat("done ", event.submission_id());
    default:
      return "?";
  }
}

class WatchTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.retry_interval = absl::ZeroDuration();
    Client::Options options;
    options.address = fake_.address();
    options.cancellation = &cancellation_;
    ASSERT_OK_AND_ASSIGN(client_, Client::Connect(options));
  }

  void AddSubmission(const std::string& id,
                     std::vector<v1::SubmissionEvent> events) {
    fake_.Edit([&](FakeCoordinator::State& state) {
      state.submissions.emplace_back().set_id(id);
      state.events[id] = std::move(events);
    });
  }

  absl::Status Watch(const std::vector<std::string>& ids) {
    return WatchSubmissions(*client_, ids, options_,
                            [this](const v1::SubmissionEvent& event) {
                              words_.push_back(Word(event));
                            });
  }

  FakeCoordinator fake_;
  Cancellation cancellation_;
  WatchOptions options_;
  std::unique_ptr<Client> client_;
  std::vector<std::string> words_;
};

TEST_F(WatchTest, TellsEverythingInOrder) {
  AddSubmission("a", {JobIn("1", v1::RUNNING), TraceOf("1")});
  AddSubmission("b", {JobIn("2", v1::FAILED)});
  EXPECT_OK(Watch({"a", "b"}));
  EXPECT_THAT(words_, ElementsAre("start a", "RUNNING 1", "trace 1", "done a",
                                  "start b", "FAILED 2", "done b"));
}

TEST_F(WatchTest, NothingToWatchMakesNoCall) {
  EXPECT_OK(Watch({}));
  EXPECT_THAT(words_, ElementsAre());
}

TEST_F(WatchTest, BrokenStreamRepeatsNoOutcome) {
  AddSubmission("a", {JobIn("1", v1::RUNNING), TraceOf("1"),
                      JobIn("2", v1::CANCELLED), TraceOf("3")});
  fake_.Edit([](FakeCoordinator::State& state) {
    state.break_watch_after = {3, 0, 4};
  });
  int outages = 0;
  options_.on_reconnect = [&outages](const absl::Status& status) {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnavailable, "stopping"));
    ++outages;
  };
  EXPECT_OK(Watch({"a"}));
  EXPECT_THAT(words_, ElementsAre("start a", "RUNNING 1", "trace 1",
                                  "CANCELLED 2", "trace 3", "done a"));
  EXPECT_EQ(outages, 2);
}

TEST_F(WatchTest, PatienceEnds) {
  AddSubmission("a", {});
  options_.patience = absl::ZeroDuration();
  fake_.Edit(
      [](FakeCoordinator::State& state) { state.break_watch_after = {1}; });
  EXPECT_THAT(Watch({"a"}),
              StatusIs(absl::StatusCode::kUnavailable, "stopping"));
}

TEST_F(WatchTest, BusyCoordinatorIsTriedAgain) {
  AddSubmission("a", {TraceOf("1")});
  fake_.Edit([](FakeCoordinator::State& state) {
    state.break_watch_with = absl::ResourceExhaustedError("too many watches");
    state.break_watch_after = {1};
  });
  EXPECT_OK(Watch({"a"}));
  EXPECT_THAT(words_, ElementsAre("start a", "trace 1", "done a"));
}

TEST_F(WatchTest, PatienceEndsWithASilentCoordinatorToo) {
  AddSubmission("a", {});
  options_.patience = absl::ZeroDuration();
  fake_.Edit([](FakeCoordinator::State& state) {
    state.errors["WatchSubmissions"] = {
        absl::DeadlineExceededError("Deadline Exceeded")};
  });
  EXPECT_THAT(Watch({"a"}),
              StatusIs(absl::StatusCode::kDeadlineExceeded, testing::_));
}

TEST_F(WatchTest, UnknownSubmissionIsAnError) {
  EXPECT_THAT(Watch({"nope"}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"nope\"")));
}

TEST_F(WatchTest, SameIdTwiceEndsAllTheSame) {
  AddSubmission("a", {TraceOf("1")});
  EXPECT_OK(Watch({"a", "a"}));
  EXPECT_THAT(words_, ElementsAre("start a", "trace 1", "done a"));
}

TEST_F(WatchTest, OldStreamGivesWayToANewOne) {
  AddSubmission("a", {TraceOf("1")});
  options_.patience = absl::ZeroDuration();
  fake_.Edit([](FakeCoordinator::State& state) {
    state.break_watch_with = absl::DeadlineExceededError("Deadline Exceeded");
    state.break_watch_after = {1};
  });
  EXPECT_OK(Watch({"a"}));
  EXPECT_THAT(words_, ElementsAre("start a", "trace 1", "done a"));
}

TEST_F(WatchTest, CancellationEndsIt) {
  AddSubmission("a", {});
  fake_.Edit([](FakeCoordinator::State& state) { state.hold_watch = true; });
  EXPECT_THAT(WatchSubmissions(*client_, {"a"}, options_,
                               [this](const v1::SubmissionEvent&) {
                                 cancellation_.Cancel();
                               }),
              StatusIs(absl::StatusCode::kCancelled, testing::_));
}

}  // namespace
}  // namespace assay
