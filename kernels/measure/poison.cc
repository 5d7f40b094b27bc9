#include "kernels/measure/poison.h"

#include <algorithm>
#include <cstring>

#include "kernels/measure/random_chunk.h"

namespace assay::measure {

void FillPattern(void* data, size_t bytes, const Key& key, uint32_t stream) {
  const RandomStream random = MakeStream(key, Domain::kPattern, stream);
  auto* out = static_cast<char*>(data);
  uint32_t words[kChunkWords];
  for (size_t offset = 0; offset < bytes; offset += sizeof(words)) {
    RandomChunk(random, offset / sizeof(words), words);
    std::memcpy(out + offset, words, std::min(sizeof(words), bytes - offset));
  }
}

size_t FindDamage(const void* data, size_t bytes, const Key& key,
                  uint32_t stream) {
  const RandomStream random = MakeStream(key, Domain::kPattern, stream);
  const auto* found = static_cast<const char*>(data);
  uint32_t words[kChunkWords];
  for (size_t offset = 0; offset < bytes; offset += sizeof(words)) {
    RandomChunk(random, offset / sizeof(words), words);
    const size_t size = std::min(sizeof(words), bytes - offset);
    if (std::memcmp(words, found + offset, size) == 0) continue;
    const auto* expected = reinterpret_cast<const char*>(words);
    const auto* end = expected + size;
    const auto* difference = std::mismatch(expected, end, found + offset).first;
    if (difference != end) {
      return offset + static_cast<size_t>(difference - expected);
    }
  }
  return kIntact;
}

}  // namespace assay::measure
