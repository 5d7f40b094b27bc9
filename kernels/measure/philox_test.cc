#include "kernels/measure/philox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "kernels/measure/random_chunk.h"

namespace assay::measure {
namespace {

using testing::ElementsAre;

std::array<uint32_t, 4> FirstBlock(const RandomStream& stream) {
  uint32_t words[4];
  stream.Block(0, words);
  return {words[0], words[1], words[2], words[3]};
}

// The vectors that Random123 publishes for this generator.
TEST(PhiloxTest, AnswersTheKnownVectorOfZeros) {
  uint32_t words[4] = {0, 0, 0, 0};
  Philox4x32(0, 0, words);
  EXPECT_THAT(words,
              ElementsAre(0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8));
}

TEST(PhiloxTest, AnswersTheKnownVectorOfOnes) {
  uint32_t words[4] = {~0U, ~0U, ~0U, ~0U};
  Philox4x32(~0U, ~0U, words);
  EXPECT_THAT(words,
              ElementsAre(0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD));
}

TEST(PhiloxTest, AnswersTheKnownVectorOfPi) {
  uint32_t words[4] = {0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344};
  Philox4x32(0xA4093822, 0x299F31D0, words);
  EXPECT_THAT(words,
              ElementsAre(0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1));
}

TEST(RandomStreamTest, EveryBitOfKeyDomainAndNumberChoosesAnotherStream) {
  std::set<std::array<uint32_t, 4>> blocks;
  const Key key = {{1, 2, 3, 4}};
  blocks.insert(FirstBlock(MakeStream(key, Domain::kValues, 5)));
  for (int bit = 0; bit < 128; ++bit) {
    Key other = key;
    other.words[bit / 32] ^= 1U << (bit % 32);
    blocks.insert(FirstBlock(MakeStream(other, Domain::kValues, 5)));
  }
  for (int bit = 0; bit < 32; ++bit) {
    const uint32_t number = 5U ^ (1U << bit);
    blocks.insert(FirstBlock(MakeStream(key, Domain::kValues, number)));
  }
  for (const Domain domain :
       {Domain::kValuesLow, Domain::kPattern, Domain::kChecksum}) {
    blocks.insert(FirstBlock(MakeStream(key, domain, 5)));
  }
  EXPECT_EQ(blocks.size(), 1U + 128U + 32U + 3U);
}

TEST(RandomStreamTest, BlocksBeyond32BitsDiffer) {
  const RandomStream stream = MakeStream({{1, 2, 3, 4}}, Domain::kValues, 0);
  uint32_t low[4];
  uint32_t high[4];
  stream.Block(7, low);
  stream.Block((uint64_t{1} << 32) + 7, high);
  EXPECT_NE(std::vector<uint32_t>(low, low + 4),
            std::vector<uint32_t>(high, high + 4));
}

// Guards the values themselves: seeds written in old results must reproduce.
TEST(RandomStreamTest, StaysTheSameForEver) {
  EXPECT_THAT(FirstBlock(MakeStream({{1, 2, 3, 4}}, Domain::kValues, 0)),
              ElementsAre(0x34A94281, 0x3F251EFB, 0x9945731B, 0xBE0F5C25));
}

TEST(RandomChunkTest, HoldsTheBlocksInOrder) {
  const RandomStream stream = MakeStream({{9, 8, 7, 6}}, Domain::kPattern, 3);
  // The last one starts at block 2^32 - 64.
  for (const uint64_t chunk : {uint64_t{0}, uint64_t{5},
                               (uint64_t{1} << 26) - 1, (uint64_t{1} << 26)}) {
    uint32_t words[kChunkWords];
    RandomChunk(stream, chunk, words);
    for (size_t block = 0; block < kChunkWords / 4; ++block) {
      uint32_t want[4];
      stream.Block(chunk * (kChunkWords / 4) + block, want);
      for (size_t i = 0; i < 4; ++i) {
        ASSERT_EQ(words[4 * block + i], want[i]) << chunk << " " << block;
      }
    }
  }
}

}  // namespace
}  // namespace assay::measure
