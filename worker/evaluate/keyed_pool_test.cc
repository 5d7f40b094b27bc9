#include "worker/evaluate/keyed_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace assay {
namespace {

class KeyedPoolTest : public testing::Test {
 protected:
  // Objects are numbers from 1 on, in the order made.
  KeyedPool<int> pool_{2, [this] { return std::make_unique<int>(++made_); }};

  int Number(absl::string_view key) { return **pool_.Take(key); }

 private:
  int made_ = 0;
};

TEST_F(KeyedPoolTest, TheSameKeyGetsTheSameObject) {
  const int a = Number("a");
  const int b = Number("b");
  EXPECT_NE(a, b);
  EXPECT_EQ(Number("a"), a);
  EXPECT_EQ(Number("b"), b);
}

TEST_F(KeyedPoolTest, ANewKeyTakesTheObjectUnusedForLongest) {
  const int a = Number("a");
  const int b = Number("b");
  Number("a");
  EXPECT_EQ(Number("c"), b);
  EXPECT_EQ(Number("a"), a);
}

TEST_F(KeyedPoolTest, AnObjectInUseIsNotTaken) {
  const auto a = pool_.Take("a");
  const int b = Number("b");
  EXPECT_NE(**a, b);
  EXPECT_EQ(Number("c"), b);
}

TEST_F(KeyedPoolTest, WaitsForTheObjectOfItsKey) {
  auto first = pool_.Take("a");
  const int number = **first;
  std::atomic<bool> returned = false;
  std::thread other([&] {
    const auto second = pool_.Take("a");
    EXPECT_TRUE(returned);
    EXPECT_EQ(**second, number);
  });
  returned = true;
  first.reset();
  other.join();
}

TEST_F(KeyedPoolTest, WaitsWhenAllAreInUse) {
  auto a = pool_.Take("a");
  const auto b = pool_.Take("b");
  const int number = **a;
  std::atomic<bool> returned = false;
  std::thread other([&] {
    const auto c = pool_.Take("c");
    EXPECT_TRUE(returned);
    EXPECT_EQ(**c, number);
  });
  returned = true;
  a.reset();
  other.join();
}

TEST_F(KeyedPoolTest, ClearMakesAnewWhatIsNotInUse) {
  const auto a = pool_.Take("a");
  const int number = **a;
  const int b = Number("b");
  pool_.Clear();
  EXPECT_EQ(**a, number);
  EXPECT_NE(Number("b"), b);
}

}  // namespace
}  // namespace assay
