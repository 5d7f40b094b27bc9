#include "kernels/measure/checksum.h"

#include <cstring>

namespace assay::measure {
namespace {

struct Mixer {
  uint64_t offset;
  uint64_t multiplier;

  // For each position a different, invertible function of the word.
  uint64_t Mix(uint64_t word, uint64_t position) const {
    uint64_t mixed = word ^ (offset + position * 0x9E3779B97F4A7C15);
    mixed *= multiplier;
    mixed ^= mixed >> 32;
    mixed *= 0xD6E8FEB86659FD93;
    return mixed ^ (mixed >> 29);
  }
};

Mixer MakeMixer(const Key& key) {
  uint32_t words[4];
  MakeStream(key, Domain::kChecksum, 0).Block(0, words);
  const auto join = [](uint32_t high, uint32_t low) {
    return (static_cast<uint64_t>(high) << 32) | low;
  };
  // Odd, so that the multiplication can be undone.
  return {join(words[0], words[1]), join(words[2], words[3]) | 1U};
}

}  // namespace

uint64_t Checksum(const void* data, size_t bytes, const Key& key) {
  const Mixer mixer = MakeMixer(key);
  const auto* in = static_cast<const char*>(data);
  const size_t whole = bytes / sizeof(uint64_t);
  uint64_t sum = 0;
  for (size_t i = 0; i < whole; ++i) {
    uint64_t word;
    std::memcpy(&word, in + i * sizeof(word), sizeof(word));
    sum += mixer.Mix(word, i);
  }
  const size_t rest = bytes % sizeof(uint64_t);
  if (rest != 0) {
    uint64_t word = 0;
    std::memcpy(&word, in + whole * sizeof(word), rest);
    sum += mixer.Mix(word, whole);
  }
  // The length tells trailing zero bytes from none.
  return sum + mixer.Mix(bytes, ~uint64_t{0});
}

}  // namespace assay::measure
