#include "base/random_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>

namespace assay {
namespace {

TEST(RandomIdTest, IsThePrefixAnd24HexDigits) {
  EXPECT_THAT(RandomId("sub-"), testing::MatchesRegex("sub-[0-9a-f]{24}"));
}

TEST(RandomIdTest, ThePrefixMayBeEmpty) {
  EXPECT_THAT(RandomId(""), testing::MatchesRegex("[0-9a-f]{24}"));
}

TEST(RandomIdTest, NoTwoAreTheSame) {
  std::set<std::string> ids;
  for (int i = 0; i < 10000; ++i) ids.insert(RandomId("a"));
  EXPECT_EQ(ids.size(), 10000U);
}

TEST(SortableIdTest, IsThePrefixAnd24HexDigits) {
  EXPECT_THAT(SortableId("tra-"), testing::MatchesRegex("tra-[0-9a-f]{24}"));
}

TEST(SortableIdTest, LaterMillisecondsSortBehind) {
  const std::string first = SortableId("a");
  const std::string first_time = first.substr(0, 12);
  std::string later = SortableId("a");
  while (later.substr(0, 12) == first_time) later = SortableId("a");
  EXPECT_LT(first, later);
}

TEST(SortableIdTest, NoTwoAreTheSame) {
  std::set<std::string> ids;
  for (int i = 0; i < 10000; ++i) ids.insert(SortableId("a"));
  EXPECT_EQ(ids.size(), 10000U);
}

TEST(RandomBits128Test, EveryBitIsSometimesSetAndSometimesNot) {
  std::array<uint32_t, 4> ones = {};
  std::array<uint32_t, 4> zeros = {};
  // A bit that works fails this once in 2^199 runs.
  for (int i = 0; i < 200; ++i) {
    const std::array<uint32_t, 4> bits = RandomBits128();
    for (size_t word = 0; word < bits.size(); ++word) {
      ones[word] |= bits[word];
      zeros[word] |= ~bits[word];
    }
  }
  EXPECT_THAT(ones, testing::Each(~0U));
  EXPECT_THAT(zeros, testing::Each(~0U));
}

}  // namespace
}  // namespace assay
