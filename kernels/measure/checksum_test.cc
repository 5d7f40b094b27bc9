#include "kernels/measure/checksum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "kernels/measure/poison.h"

namespace assay::measure {
namespace {

constexpr Key kKey = {{5, 6, 7, 8}};

std::vector<char> RandomBytes(size_t bytes) {
  std::vector<char> data(bytes);
  FillPattern(data.data(), bytes, {{1, 1, 1, 1}}, 0);
  return data;
}

uint64_t Of(const std::vector<char>& data) {
  return Checksum(data.data(), data.size(), kKey);
}

TEST(ChecksumTest, EqualContentHasTheSameChecksum) {
  EXPECT_EQ(Of(RandomBytes(1001)), Of(RandomBytes(1001)));
}

TEST(ChecksumTest, EveryBitCounts) {
  std::vector<char> data = RandomBytes(203);
  std::set<uint64_t> seen = {Of(data)};
  for (size_t bit = 0; bit < data.size() * 8; ++bit) {
    const auto mask = static_cast<char>(1 << (bit % 8));
    data[bit / 8] = static_cast<char>(data[bit / 8] ^ mask);
    seen.insert(Of(data));
    data[bit / 8] = static_cast<char>(data[bit / 8] ^ mask);
  }
  EXPECT_EQ(seen.size(), 1 + data.size() * 8);
}

TEST(ChecksumTest, ZerosOfEveryLengthDiffer) {
  std::set<uint64_t> seen;
  for (size_t bytes = 0; bytes < 100; ++bytes) {
    seen.insert(Of(std::vector<char>(bytes)));
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(ChecksumTest, OrderCounts) {
  const std::vector<char> data = RandomBytes(64);
  std::set<uint64_t> seen = {Of(data)};
  // Exchanges two words of 8 bytes, for all pairs.
  for (auto i = data.begin(); i != data.end(); i += 8) {
    for (auto j = data.begin(); j != i; j += 8) {
      std::vector<char> swapped = data;
      std::copy(i, i + 8, swapped.begin() + (j - data.begin()));
      std::copy(j, j + 8, swapped.begin() + (i - data.begin()));
      seen.insert(Of(swapped));
    }
  }
  EXPECT_EQ(seen.size(), 1U + 28U);
}

TEST(ChecksumTest, MovedDataCounts) {
  const std::vector<char> data = RandomBytes(64);
  std::vector<char> moved = data;
  std::rotate(moved.begin(), moved.begin() + 8, moved.end());
  EXPECT_NE(Of(data), Of(moved));
}

TEST(ChecksumTest, EveryBitOfTheKeyCounts) {
  const std::vector<char> data = RandomBytes(64);
  std::set<uint64_t> seen;
  for (int bit = 0; bit < 128; ++bit) {
    Key key = kKey;
    key.words[bit / 32] ^= 1U << (bit % 32);
    seen.insert(Checksum(data.data(), data.size(), key));
  }
  EXPECT_EQ(seen.size(), 128U);
}

TEST(ChecksumTest, SmallChangesSpreadOverAllBits) {
  std::vector<char> data = RandomBytes(800);
  const uint64_t before = Of(data);
  uint64_t changed = 0;
  for (size_t i = 0; i < data.size(); i += 8) {
    data[i] = static_cast<char>(data[i] ^ 1);
    changed |= Of(data) ^ before;
    data[i] = static_cast<char>(data[i] ^ 1);
  }
  EXPECT_EQ(changed, ~uint64_t{0});
}

TEST(ChecksumTest, DoesNotNeedAlignment) {
  const std::vector<char> data = RandomBytes(100);
  std::vector<char> shifted(101);
  std::copy(data.begin(), data.end(), shifted.begin() + 1);
  EXPECT_EQ(Of(data), Checksum(shifted.data() + 1, 100, kKey));
}

}  // namespace
}  // namespace assay::measure
