#include "ranking/rank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::DoubleNear;
using ::testing::IsEmpty;

TraceSummary Passed(const std::string& solution, const std::string& workload,
                    double speedup) {
  TraceSummary trace;
  trace.id = solution + "/" + workload;
  trace.solution = solution;
  trace.workload_uuid = workload;
  trace.status = v1::PASSED;
  trace.latency_ms = 1;
  trace.speedup_factor = speedup;
  return trace;
}

TraceSummary Failed(const std::string& solution, const std::string& workload) {
  TraceSummary trace = Passed(solution, workload, 0);
  trace.status = v1::INCORRECT_NUMERICAL;
  return trace;
}

TEST(RankTest, GeometricMeanOfKnownValues) {
  EXPECT_THAT(GeometricMean({2, 8}), IsOkAndHolds(DoubleNear(4, 1e-12)));
  EXPECT_THAT(GeometricMean({0.5, 2}), IsOkAndHolds(DoubleNear(1, 1e-12)));
  // A product would overflow.
  EXPECT_THAT(GeometricMean(std::vector<double>(1000, 1e10)),
              IsOkAndHolds(DoubleNear(1e10, 1)));
}

TEST(RankTest, GeometricMeanRefusesWhatIsNotPositive) {
  for (const double bad :
       {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(GeometricMean({1, bad}),
                StatusIs(absl::StatusCode::kInvalidArgument, _));
  }
  EXPECT_THAT(GeometricMean({}),
              StatusIs(absl::StatusCode::kInvalidArgument, _));
}

TEST(RankTest, BestFirst) {
  const auto entries =
      Rank({"w1", "w2"}, {Passed("slow", "w1", 1), Passed("slow", "w2", 1),
                          Passed("fast", "w1", 2), Passed("fast", "w2", 8)});
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].solution(), "fast");
  EXPECT_EQ(entries[0].rank(), 1);
  EXPECT_NEAR(entries[0].speedup_geomean(), 4, 1e-12);
  EXPECT_EQ(entries[1].rank(), 2);
}

TEST(RankTest, EqualScoresShareARank) {
  const auto entries = Rank(
      {"w"}, {Passed("a", "w", 3), Passed("b", "w", 3), Passed("c", "w", 2)});
  EXPECT_EQ(entries[0].rank(), 1);
  EXPECT_EQ(entries[1].rank(), 1);
  EXPECT_EQ(entries[2].rank(), 3);
}

TEST(RankTest, LatestTraceCounts) {
  const auto entries = Rank({"w"}, {Failed("a", "w"), Passed("a", "w", 2),
                                    Passed("b", "w", 9), Failed("b", "w")});
  EXPECT_EQ(entries[0].solution(), "a");
  EXPECT_EQ(entries[0].rank(), 1);
  EXPECT_EQ(entries[1].rank(), 0);
  EXPECT_EQ(entries[1].cells(0).status(), v1::INCORRECT_NUMERICAL);
  EXPECT_EQ(entries[1].cells(0).speedup_factor(), 0);
}

TEST(RankTest, WhatDoesNotRankSaysWhyAndComesLast) {
  const auto entries =
      Rank({"w1", "w2"}, {Passed("partial", "w1", 9), Passed("wrong", "w1", 9),
                          Failed("wrong", "w2"), Passed("untimed", "w1", 0),
                          Passed("untimed", "w2", 1), Passed("ok", "w1", 1),
                          Passed("ok", "w2", 1)});
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].solution(), "ok");
  EXPECT_THAT(entries[0].note(), IsEmpty());
  EXPECT_EQ(entries[1].note(), "evaluated on 1 of 2 workloads");
  EXPECT_EQ(entries[2].solution(), "untimed");
  EXPECT_EQ(entries[2].note(), "no speed-up was measured on some workload");
  EXPECT_EQ(entries[3].note(), "passed 1 of 2 workloads");
  for (size_t i = 1; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].rank(), 0);
    EXPECT_EQ(entries[i].cells_size(), 2);
    EXPECT_EQ(entries[i].speedup_geomean(), 0);
  }
}

TraceSummary InReview(TraceSummary trace, v1::Review::State state) {
  trace.id += "/reviewed";
  trace.review_state = state;
  return trace;
}

TEST(RankTest, HeldResultDoesNotRankUntilItIsApproved) {
  auto entries =
      Rank({"w"}, {InReview(Passed("fast", "w", 9), v1::Review::PENDING),
                   Passed("slow", "w", 2)});
  EXPECT_EQ(entries[0].solution(), "slow");
  EXPECT_EQ(entries[0].rank(), 1);
  EXPECT_EQ(entries[1].rank(), 0);
  EXPECT_EQ(entries[1].speedup_geomean(), 0);
  EXPECT_EQ(entries[1].note(), "held for review on 1 of 1 workloads");
  EXPECT_EQ(entries[1].workloads_pending(), 1);
  // It is shown all the same.
  EXPECT_EQ(entries[1].cells(0).speedup_factor(), 9);
  EXPECT_EQ(entries[1].cells(0).review_state(), v1::Review::PENDING);

  entries = Rank({"w"}, {InReview(Passed("fast", "w", 9), v1::Review::APPROVED),
                         Passed("slow", "w", 2)});
  EXPECT_EQ(entries[0].solution(), "fast");
  EXPECT_EQ(entries[0].rank(), 1);
  EXPECT_EQ(entries[0].cells(0).review_state(), v1::Review::APPROVED);
}

TEST(RankTest, AnotherTryDoesNotGetRidOfAReview) {
  for (const auto state : {v1::Review::PENDING, v1::Review::REJECTED}) {
    const auto entries = Rank(
        {"w"}, {InReview(Passed("a", "w", 9), state), Passed("a", "w", 8)});
    EXPECT_EQ(entries[0].rank(), 0);
    const v1::LeaderboardCell& cell = entries[0].cells(0);
    EXPECT_EQ(cell.review_state(), state);
    EXPECT_EQ(cell.review_trace_id(), "a/w/reviewed");
    EXPECT_EQ(cell.trace_id(), "a/w");
    EXPECT_EQ(cell.speedup_factor(), 8);
  }
}

TEST(RankTest, RejectionOutweighsAHold) {
  const auto entries =
      Rank({"w"}, {InReview(Passed("a", "w", 9), v1::Review::REJECTED),
                   InReview(Passed("a", "w", 8), v1::Review::PENDING)});
  EXPECT_EQ(entries[0].note(), "rejected in a review on 1 of 1 workloads");
  EXPECT_EQ(entries[0].workloads_rejected(), 1);
  EXPECT_EQ(entries[0].workloads_pending(), 0);
}

TEST(RankTest, UnstableResultsRankAndAreCounted) {
  TraceSummary unstable = Passed("a", "w1", 2);
  unstable.unstable = true;
  const auto entries = Rank({"w1", "w2"}, {unstable, Passed("a", "w2", 2)});
  EXPECT_EQ(entries[0].rank(), 1);
  EXPECT_EQ(entries[0].workloads_unstable(), 1);
  EXPECT_TRUE(entries[0].cells(0).unstable());
  EXPECT_FALSE(entries[0].cells(1).unstable());
}

}  // namespace
}  // namespace assay
