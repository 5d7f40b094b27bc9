#include "worker/evaluate/batch_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::HasSubstr;

constexpr absl::Duration kOverhead = absl::Microseconds(20);
constexpr absl::Duration kClaimed = absl::Microseconds(10);
constexpr int kCalls = 100;

// What a request takes whose calls take `us` each.
absl::Duration Request(double us, int calls = kCalls) {
  return kOverhead + calls * absl::Microseconds(us);
}

BatchJudge Judge(const OutsideAllowance& allowance = {}) {
  return BatchJudge(kClaimed, kCalls, kOverhead, allowance);
}

// A control that nothing held up, or that something did for as long as `late`.
absl::Duration Control(absl::Duration late = absl::ZeroDuration()) {
  return Request(10) + late;
}

TEST(CallsPerBatchTest, TheShorterCallsAreTheMoreOfThem) {
  const struct {
    absl::Duration claimed;
    absl::Duration draw_cost;
    int calls;
  } kCases[] = {
      {absl::ZeroDuration(), absl::ZeroDuration(), 128},
      {absl::Nanoseconds(1), absl::Microseconds(30), 128},
      {absl::Microseconds(40), absl::Microseconds(300), 25},
      {absl::Microseconds(900), absl::Microseconds(300), 2},
      // Long enough to be told alone.
      {absl::Milliseconds(1), absl::Microseconds(300), 0},
      // A reference for which there is no time so often, or at all.
      {absl::Microseconds(40), absl::Milliseconds(10), 10},
      {absl::Microseconds(40), absl::Milliseconds(60), 0},
  };
  for (const auto& [claimed, draw_cost, calls] : kCases) {
    EXPECT_EQ(CallsPerBatch(claimed, draw_cost), calls)
        << claimed << " " << draw_cost;
  }
}

TEST(BatchJudgeTest, OneBatchAsShortAsClaimedIsEnough) {
  BatchJudge judge = Judge();
  EXPECT_FALSE(judge.IsBorneOut(Request(80)));
  judge.AddControl(Control());
  EXPECT_TRUE(judge.IsBorneOut(Request(10)));
  EXPECT_FALSE(judge.broken().has_value());
}

TEST(BatchJudgeTest, AQuarterOfAClaimIsAllowed) {
  EXPECT_TRUE(Judge().IsBorneOut(Request(12.4)));
  EXPECT_FALSE(Judge().IsBorneOut(Request(12.6)));
}

TEST(BatchJudgeTest, WhatARequestMayTakeIsShared) {
  BatchJudge few(kClaimed, 10, kOverhead, {});
  EXPECT_TRUE(few.IsBorneOut(Request(34, 10)));
  EXPECT_FALSE(few.IsBorneOut(Request(36, 10)));
}

TEST(BatchJudgeTest, WhatIsAllowedBesidesCountsForEachCall) {
  OutsideAllowance allowance;
  allowance.fixed = absl::Microseconds(5);
  allowance.memory = absl::Microseconds(2);
  EXPECT_TRUE(Judge(allowance).IsBorneOut(Request(19)));
  EXPECT_FALSE(Judge(allowance).IsBorneOut(Request(20)));
}

TEST(BatchJudgeTest, MemoryExplainsHalfOfAClaimAtMost) {
  OutsideAllowance allowance;
  allowance.memory = absl::Seconds(1);
  EXPECT_TRUE(Judge(allowance).IsBorneOut(Request(17.4)));
  EXPECT_FALSE(Judge(allowance).IsBorneOut(Request(17.6)));
}

TEST(BatchJudgeTest, ForgedTimesFail) {
  BatchJudge judge = Judge();
  int made = 0;
  for (; !judge.is_over(); ++made) {
    EXPECT_FALSE(judge.IsBorneOut(Request(80 + made)));
    judge.AddControl(Control());
  }
  EXPECT_EQ(made, 10);
  const auto broken = judge.broken();
  ASSERT_TRUE(broken.has_value());
  EXPECT_EQ(broken->rule, "time_unaccounted");
  EXPECT_THAT(broken->evidence, HasSubstr("a call took 80us, as one of 100"));
  EXPECT_THAT(broken->evidence, HasSubstr("claims 10us"));
}

TEST(BatchJudgeTest, ABusyMachineProvesNothing) {
  BatchJudge judge = Judge();
  int made = 0;
  for (; !judge.is_over(); ++made) {
    EXPECT_FALSE(judge.IsBorneOut(Request(80)));
    // Nine of them undisturbed.
    judge.AddControl(made < 9 ? Control() : Control(absl::Milliseconds(1)));
  }
  EXPECT_EQ(made, 40);
  EXPECT_FALSE(judge.broken().has_value());
}

TEST(BatchJudgeTest, AControlIsBusyForAsLongAsIsClaimed) {
  EXPECT_EQ(Judge().control_time(), kCalls * kClaimed);
}

}  // namespace
}  // namespace assay
