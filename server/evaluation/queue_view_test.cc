#include "server/evaluation/queue_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "google/protobuf/util/time_util.h"

namespace assay {
namespace {

using ::google::protobuf::util::TimeUtil;

QueueView View() {
  QueueView view;
  for (const char* id : {"first", "second"}) {
    QueuedGroup group;
    group.submission_id = id;
    group.author = "author";
    group.first_seq = static_cast<int64_t>(view.waiting.size()) + 1;
    group.jobs = 9;
    group.requirements.language = v1::BuildSpec::PYTHON;
    group.requirements.hardware = {{"cpu"}};
    view.waiting.push_back(group);
  }
  KnownWorker worker;
  worker.id = "w";
  worker.device.set_kind("cpu");
  worker.device.add_languages(v1::BuildSpec::PYTHON);
  view.live = {worker};
  return view;
}

TEST(QueueViewTest, EstimateIsWhatGoesFirstAtThePaceOfLate) {
  QueueView view = View();
  EXPECT_FALSE(view.StatusOf("second")->has_estimated_wait());
  view.time_per_job = absl::Seconds(3);
  const absl::optional<v1::QueueStatus> status = view.StatusOf("second");
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(status->position(), 2);
  EXPECT_EQ(status->jobs_ahead(), 9);
  EXPECT_EQ(TimeUtil::DurationToSeconds(status->estimated_wait()), 30);
  EXPECT_EQ(status->note(), "");
}

TEST(QueueViewTest, NobodyKnowsHowLongNobodyTakes) {
  QueueView view = View();
  view.time_per_job = absl::Seconds(3);
  view.live.clear();
  const absl::optional<v1::QueueStatus> status = view.StatusOf("first");
  ASSERT_TRUE(status.has_value());
  EXPECT_FALSE(status->has_estimated_wait());
  EXPECT_THAT(status->note(), ::testing::HasSubstr("no worker is registered"));
}

TEST(QueueViewTest, WhatDoesNotWaitHasNoStatus) {
  EXPECT_FALSE(View().StatusOf("done").has_value());
}

}  // namespace
}  // namespace assay
