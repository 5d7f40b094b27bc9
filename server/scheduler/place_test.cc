#include "server/scheduler/place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::HasSubstr;

KnownWorker Worker(const std::string& id, const std::string& kind) {
  KnownWorker worker;
  worker.id = id;
  worker.device.set_kind(kind);
  worker.device.add_languages(v1::BuildSpec::PYTHON);
  return worker;
}

QueuedGroup Group(const std::string& submission, const std::string& author,
                  int64_t first_seq, int64_t jobs,
                  const std::string& hardware = "cpu") {
  QueuedGroup group;
  group.submission_id = submission;
  group.author = author;
  group.first_seq = first_seq;
  group.jobs = jobs;
  group.requirements.language = v1::BuildSpec::PYTHON;
  group.requirements.hardware = {{hardware}};
  return group;
}

TEST(PlaceTest, OlderSubmissionsOfTheAuthorGoFirst) {
  const std::vector<QueuedGroup> waiting = {
      Group("first", "a", 1, 10), Group("second", "a", 11, 5),
      Group("second", "a", 30, 2), Group("third", "a", 40, 1)};
  const Place place = FindPlace(waiting, "third", {Worker("c", "cpu")});
  EXPECT_EQ(place.position, 3);
  EXPECT_EQ(place.jobs_ahead, 17);
  EXPECT_TRUE(place.served);
  EXPECT_EQ(place.note, "");
  EXPECT_EQ(FindPlace(waiting, "first", {Worker("c", "cpu")}).position, 1);
}

TEST(PlaceTest, AuthorsTakeTurns) {
  std::vector<QueuedGroup> waiting;
  for (int i = 0; i < 100; ++i) {
    waiting.push_back(Group("many" + std::to_string(i), "many", i, 1));
    waiting.back().author_turn = 1;
  }
  waiting.push_back(Group("one", "one", 1000, 1));
  waiting.back().author_turn = 2;
  // After the first of the other, not after all.
  EXPECT_EQ(FindPlace(waiting, "one", {Worker("c", "cpu")}).position, 2);
}

TEST(PlaceTest, PriorityGoesFirst) {
  std::vector<QueuedGroup> waiting = {Group("old", "a", 1, 1),
                                      Group("urgent", "b", 2, 3)};
  waiting[1].priority = 1;
  EXPECT_EQ(FindPlace(waiting, "urgent", {Worker("c", "cpu")}).position, 1);
  EXPECT_EQ(FindPlace(waiting, "old", {Worker("c", "cpu")}).jobs_ahead, 3);
}

TEST(PlaceTest, WhatWaitsForOtherWorkersDoesNotCount) {
  const std::vector<QueuedGroup> waiting = {Group("gpu", "a", 1, 50, "cuda"),
                                            Group("cpu", "a", 2, 1, "cpu")};
  const std::vector<KnownWorker> live = {Worker("c", "cpu"),
                                         Worker("g", "cuda")};
  EXPECT_EQ(FindPlace(waiting, "cpu", live).position, 1);
}

TEST(PlaceTest, SaysThatNobodyFits) {
  const std::vector<QueuedGroup> waiting = {Group("gpu", "a", 1, 50, "cuda")};
  const Place place = FindPlace(waiting, "gpu", {Worker("c", "cpu")});
  EXPECT_EQ(place.position, 1);
  EXPECT_FALSE(place.served);
  EXPECT_THAT(place.note, HasSubstr("no registered worker has cuda"));
}

TEST(PlaceTest, NothingWaitsNowhere) {
  EXPECT_EQ(FindPlace({}, "gone", {Worker("c", "cpu")}).position, 0);
}

}  // namespace
}  // namespace assay
