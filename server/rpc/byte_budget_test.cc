#include "server/rpc/byte_budget.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(ByteBudgetTest, GivesNoMoreThanThereIs) {
  ByteBudget budget(10);
  ByteBudget::Share six = budget.Take(6);
  EXPECT_NE(six, nullptr);
  EXPECT_EQ(budget.Take(5), nullptr);
  const ByteBudget::Share four = budget.Take(4);
  EXPECT_NE(four, nullptr);
  EXPECT_EQ(budget.Take(1), nullptr);
  const ByteBudget::Share copy = six;
  six = nullptr;
  EXPECT_EQ(budget.Take(1), nullptr);
}

TEST(ByteBudgetTest, TakesBackWhatIsLetGo) {
  ByteBudget budget(10);
  EXPECT_NE(budget.Take(10), nullptr);
  EXPECT_NE(budget.Take(10), nullptr);
  EXPECT_EQ(budget.Take(11), nullptr);
}

}  // namespace
}  // namespace assay
