// Philox4x32-10, the counter-based random number generator of Salmon et al.,
// "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011).
//
//   const RandomStream stream = MakeStream(key, kPoisonDomain, output);
//   uint32_t words[4];
//   stream.Block(7, words);
//
// Block i of a stream depends on the key, the domain, the number of the stream
// and i alone, so any thread of any processor can compute any part. It is no
// cipher: keep the key secret, but protect nothing else with it.

#ifndef ASSAY_KERNELS_MEASURE_PHILOX_H_
#define ASSAY_KERNELS_MEASURE_PHILOX_H_

#include <cstdint>

#include "kernels/measure/attributes.h"

namespace assay::measure {

// A 128-bit seed. Fresh ones come from the operating system.
struct Key {
  uint32_t words[4];
};

// What a stream is for: the same key and number give unrelated streams.
enum class Domain : uint32_t {
  kValues = 1,
  // Low-order bits of float64 values.
  kValuesLow = 2,
  kPattern = 3,
  kChecksum = 4,
  // Of stored values.
  kVaried = 5,
};

// Replaces the counter by the four random words that belong to it.
ASSAY_HOST_DEVICE inline void Philox4x32(uint32_t key0, uint32_t key1,
                                         uint32_t counter[4]) {
  uint32_t c0 = counter[0];
  uint32_t c1 = counter[1];
  uint32_t c2 = counter[2];
  uint32_t c3 = counter[3];
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = uint64_t{0xD2511F53} * c0;
    const uint64_t product1 = uint64_t{0xCD9E8D57} * c2;
    c0 = static_cast<uint32_t>(product1 >> 32) ^ c1 ^ key0;
    c1 = static_cast<uint32_t>(product1);
    c2 = static_cast<uint32_t>(product0 >> 32) ^ c3 ^ key1;
    c3 = static_cast<uint32_t>(product0);
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  counter[0] = c0;
  counter[1] = c1;
  counter[2] = c2;
  counter[3] = c3;
}

// An endless sequence of blocks of four random words.
struct RandomStream {
  uint32_t key[2];
  // The upper half of every counter; the lower one is the number of the block.
  uint32_t counter_high[2];

  ASSAY_HOST_DEVICE void Block(uint64_t index, uint32_t words[4]) const {
    words[0] = static_cast<uint32_t>(index);
    words[1] = static_cast<uint32_t>(index >> 32);
    words[2] = counter_high[0];
    words[3] = counter_high[1];
    Philox4x32(key[0], key[1], words);
  }
};

// Philox takes a key of 64 bits: one block turns the seed of 128 bits, the
// domain and the number into the state of a stream, so that every bit of the
// seed decides every value.
ASSAY_HOST_DEVICE inline RandomStream MakeStream(const Key& key, Domain domain,
                                                 uint32_t number) {
  uint32_t state[4] = {key.words[2], key.words[3], number,
                       static_cast<uint32_t>(domain)};
  Philox4x32(key.words[0], key.words[1], state);
  return {{state[0], state[1]}, {state[2], state[3]}};
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_PHILOX_H_
