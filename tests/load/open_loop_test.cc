#include "tests/load/open_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/status_testing.h"

namespace assay::load {
namespace {

using ::testing::_;

TEST(OpenLoopTest, StartsAllAndCountsThem) {
  OpenLoop loop;
  std::vector<int> numbers;
  ASSERT_OK(loop.Run(1000, absl::Milliseconds(5),
                     [&](int number, const OpenLoop::Done& done) {
                       numbers.push_back(number);
                       done(absl::OkStatus());
                     }));
  EXPECT_THAT(numbers, ::testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(loop.latencies().count(), 5);
}

TEST(OpenLoopTest, DoesNotWaitForAnswers) {
  OpenLoop loop;
  std::vector<OpenLoop::Done> open;
  ASSERT_OK(loop.Run(1000, absl::Milliseconds(3),
                     [&](int number, OpenLoop::Done done) {
                       open.push_back(std::move(done));
                       if (number < 2) return;
                       for (const auto& answer : open) answer(absl::OkStatus());
                     }));
  EXPECT_EQ(open.size(), 3u);
  // The first was due two distances before it was answered.
  EXPECT_GE(loop.latencies().Percentile(1), absl::Milliseconds(2));
}

TEST(OpenLoopTest, TellsOfAnError) {
  OpenLoop loop;
  EXPECT_THAT(loop.Run(1000, absl::Milliseconds(2),
                       [&](int number, const OpenLoop::Done& done) {
                         done(number == 0 ? absl::UnavailableError("gone")
                                          : absl::OkStatus());
                       }),
              StatusIs(absl::StatusCode::kUnavailable, _));
}

}  // namespace
}  // namespace assay::load
