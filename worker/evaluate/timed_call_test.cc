#include "worker/evaluate/timed_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<int64_t> TimesOfFasterHalf(const std::vector<int64_t>& times) {
  std::vector<TimedCall> calls;
  for (const int64_t time : times) calls.emplace_back().call_ns = time;
  std::vector<int64_t> faster;
  for (const TimedCall& call : FasterHalf(calls)) {
    faster.push_back(call.call_ns);
  }
  return faster;
}

TEST(FasterHalfTest, HoldsTheMedianAndWhatIsBelow) {
  EXPECT_THAT(TimesOfFasterHalf({5, 1, 4, 2, 3}), ElementsAre(1, 2, 3));
  EXPECT_THAT(TimesOfFasterHalf({5, 1, 4, 2}), ElementsAre(1, 2));
  EXPECT_THAT(TimesOfFasterHalf({7}), ElementsAre(7));
  EXPECT_THAT(TimesOfFasterHalf({}), IsEmpty());
}

}  // namespace
}  // namespace assay
