#include "kernels/measure/poison.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/measure/element_type.h"
#include "kernels/measure/generate.h"

namespace assay::measure {
namespace {

constexpr Key kKey = {{11, 22, 33, 44}};

std::vector<char> Pattern(size_t bytes, const Key& key = kKey,
                          uint32_t stream = 0) {
  std::vector<char> data(bytes);
  FillPattern(data.data(), bytes, key, stream);
  return data;
}

TEST(PoisonTest, AnUntouchedPatternIsIntact) {
  for (const size_t bytes : {0, 1, 15, 16, 17, 1023, 1024, 1025, 5000}) {
    const std::vector<char> data = Pattern(bytes);
    EXPECT_EQ(FindDamage(data.data(), bytes, kKey, 0), kIntact) << bytes;
  }
}

TEST(PoisonTest, EveryChangedBitIsFoundAtItsPlace) {
  std::vector<char> data = Pattern(1500);
  for (size_t i = 0; i < data.size(); ++i) {
    const char before = data[i];
    data[i] = static_cast<char>(before ^ (1 << (i % 8)));
    ASSERT_EQ(FindDamage(data.data(), data.size(), kKey, 0), i);
    data[i] = before;
  }
}

TEST(PoisonTest, TheFirstOfSeveralDamagesIsReported) {
  std::vector<char> data = Pattern(4096);
  data[3000] = static_cast<char>(~data[3000]);
  data[77] = static_cast<char>(~data[77]);
  data[78] = static_cast<char>(~data[78]);
  EXPECT_EQ(FindDamage(data.data(), data.size(), kKey, 0), 77U);
}

TEST(PoisonTest, DamageBehindTheEndIsNotLookedAt) {
  std::vector<char> data = Pattern(100);
  data[99] = static_cast<char>(~data[99]);
  EXPECT_EQ(FindDamage(data.data(), 99, kKey, 0), kIntact);
}

TEST(PoisonTest, WritesNothingBehindTheEnd) {
  for (const size_t bytes : {0, 1, 1000, 1024, 1030}) {
    std::vector<char> data(bytes + 32, 0x5A);
    FillPattern(data.data(), bytes, kKey, 0);
    EXPECT_EQ(std::string(data.data() + bytes, 32), std::string(32, 0x5A));
  }
}

TEST(PoisonTest, AnotherKeyOrStreamIsAnotherPattern) {
  const std::vector<char> data = Pattern(64);
  EXPECT_NE(data, Pattern(64, kKey, 1));
  EXPECT_NE(data, Pattern(64, {{11, 22, 33, 45}}));
  EXPECT_LT(FindDamage(data.data(), 64, kKey, 1), 64U);
}

TEST(PoisonTest, ThePatternIsNotTheInputsOfTheSameStream) {
  std::vector<char> values(1024);
  Generate(ElementType::kUInt8, values.data(), values.size(), kKey, 0);
  const std::vector<char> pattern = Pattern(1024);
  size_t equal = 0;
  for (size_t i = 0; i < values.size(); ++i) equal += values[i] == pattern[i];
  EXPECT_LT(equal, 20U);  // 4 by chance
}

TEST(PoisonTest, ThePatternHasNoPreferredBits) {
  const std::vector<char> data = Pattern(1 << 16);
  int ones[8] = {};
  for (const char byte : data) {
    for (int bit = 0; bit < 8; ++bit) ones[bit] += (byte >> bit) & 1;
  }
  // 128 is the standard deviation of the number of ones at one place.
  for (const int count : ones) EXPECT_NEAR(count, 1 << 15, 4 * 128);
}

TEST(PoisonTest, DoesNotNeedAlignment) {
  const std::vector<char> want = Pattern(100);
  std::vector<char> data(103);
  FillPattern(data.data() + 3, 100, kKey, 0);
  EXPECT_EQ(std::memcmp(data.data() + 3, want.data(), 100), 0);
  EXPECT_EQ(FindDamage(data.data() + 3, 100, kKey, 0), kIntact);
}

}  // namespace
}  // namespace assay::measure
