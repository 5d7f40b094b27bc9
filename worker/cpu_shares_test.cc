#include "worker/cpu_shares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CpuSharesTest, TheLastTwoMeasure) {
  const CpuShares shares = ShareCpus({2, 3, 5, 8, 9});
  EXPECT_THAT(shares.measuring, ElementsAre(8, 9));
  EXPECT_THAT(shares.background, ElementsAre(2, 3, 5));
}

TEST(CpuSharesTest, FewAreNotShared) {
  const CpuShares shares = ShareCpus({0, 1, 2});
  EXPECT_THAT(shares.measuring, IsEmpty());
  EXPECT_THAT(shares.background, IsEmpty());
  EXPECT_THAT(ShareCpus({}).measuring, IsEmpty());
}

TEST(CpuSharesTest, ThisProcessMayRunSomewhere) {
  EXPECT_THAT(AllowedCpus(), testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace assay
