#include "kernels/measure/cache_control.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace assay::measure {
namespace {

std::string Text(size_t bytes) {
  std::string text(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>(i * 37 + 11);
  return text;
}

// Every beginning and length relative to lines: what is around stays.
TEST(CacheControlTest, CopiesExactlyTheBytesItIsGiven) {
  const std::string from = Text(400);
  alignas(64) char to[512];
  for (size_t begin = 0; begin < 70; ++begin) {
    for (const size_t bytes : {0, 1, 63, 64, 65, 127, 128, 200, 333}) {
      std::memset(to, 0x5a, sizeof(to));
      StreamCopy(to + begin, from.data() + 3, bytes);
      for (size_t i = 0; i < sizeof(to); ++i) {
        const char want =
            i >= begin && i < begin + bytes ? from[i - begin + 3] : 0x5a;
        ASSERT_EQ(to[i], want) << begin << " " << bytes << " " << i;
      }
    }
  }
}

TEST(CacheControlTest, CopiesLargeMemory) {
  const std::string from = Text((3 << 20) + 17);
  std::vector<char> to(from.size());
  StreamCopy(to.data(), from.data(), from.size());
  EXPECT_EQ(std::memcmp(to.data(), from.data(), from.size()), 0);
}

TEST(CacheControlTest, EvictionLosesNothingThatWasWritten) {
  std::string data = Text(100'000);
  EvictFromCaches(data.data() + 5, data.size() - 5);
  EvictFromCaches(data.data(), 0);
  EXPECT_EQ(data, Text(100'000));
}

}  // namespace
}  // namespace assay::measure
