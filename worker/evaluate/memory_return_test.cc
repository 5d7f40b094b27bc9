#include "worker/evaluate/memory_return.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/status_testing.h"

namespace assay {
namespace {

TEST(RetryWhileExhaustedTest, GoesOnUntilThereIsMemory) {
  int attempts = 0;
  EXPECT_OK(RetryWhileExhausted(Clock::Real(), [&] {
    return ++attempts < 3 ? absl::ResourceExhaustedError("none")
                          : absl::OkStatus();
  }));
  EXPECT_EQ(attempts, 3);
}

TEST(RetryWhileExhaustedTest, OtherErrorsAreFinal) {
  int attempts = 0;
  EXPECT_THAT(RetryWhileExhausted(Clock::Real(),
                                  [&] {
                                    ++attempts;
                                    return absl::InternalError("broken");
                                  }),
              StatusIs(absl::StatusCode::kInternal, "broken"));
  EXPECT_EQ(attempts, 1);
}

}  // namespace
}  // namespace assay
