// The terms of the checksum, for the CPU and for CUDA. Internal to this folder.

#ifndef ASSAY_KERNELS_MEASURE_CHECKSUM_MIXER_H_
#define ASSAY_KERNELS_MEASURE_CHECKSUM_MIXER_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/philox.h"

namespace assay::measure {

struct ChecksumMixer {
  uint64_t offset;
  uint64_t multiplier;

  // For each position a different, invertible function of the word.
  ASSAY_HOST_DEVICE uint64_t Mix(uint64_t word, uint64_t position) const {
    uint64_t mixed = word ^ (offset + position * 0x9E3779B97F4A7C15);
    mixed *= multiplier;
    mixed ^= mixed >> 32;
    mixed *= 0xD6E8FEB86659FD93;
    return mixed ^ (mixed >> 29);
  }

  // The term that tells trailing zero bytes from none.
  ASSAY_HOST_DEVICE uint64_t MixLength(uint64_t bytes) const {
    return Mix(bytes, ~uint64_t{0});
  }
};

inline ChecksumMixer MakeChecksumMixer(const Key& key) {
  uint32_t words[4];
  MakeStream(key, Domain::kChecksum, 0).Block(0, words);
  const auto join = [](uint32_t high, uint32_t low) {
    return (static_cast<uint64_t>(high) << 32) | low;
  };
  // Odd, so that the multiplication can be undone.
  return {join(words[0], words[1]), join(words[2], words[3]) | 1U};
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CHECKSUM_MIXER_H_
