#include "kernels/measure/checksum.h"

#include <cstring>

#include "kernels/measure/checksum_mixer.h"

namespace assay::measure {

uint64_t Checksum(const void* data, size_t bytes, const Key& key) {
  const ChecksumMixer mixer = MakeChecksumMixer(key);
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
  return sum + mixer.MixLength(bytes);
}

}  // namespace assay::measure
