// The values of generate.h, a Philox block or more at a time. Internal to this
// folder. For CUDA, of which each thread makes one run of values; the CPU
// compiles it for tests.

#ifndef ASSAY_KERNELS_MEASURE_RANDOM_VALUES_H_
#define ASSAY_KERNELS_MEASURE_RANDOM_VALUES_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/normal.h"
#include "kernels/measure/philox.h"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {

inline constexpr int kBlockWords = 4;

// Each source below has Codec, the type of its values, and Block, which makes
// values 4 * index to 4 * index + 3 of a tensor.

template <typename CodecType>
struct NormalSource {
  using Codec = CodecType;
  RandomStream stream;

  ASSAY_HOST_DEVICE void Block(uint64_t index, float out[kBlockWords]) const {
    uint32_t words[kBlockWords];
    stream.Block(index, words);
    NormalPair(words[0], words[1], out);
    NormalPair(words[2], words[3], out + 2);
    if constexpr (Codec::kBits <= 8) {
      for (int i = 0; i < kBlockWords; ++i) {
        const float low = out[i] < -2.0F ? -2.0F : out[i];
        out[i] = low > 2.0F ? 2.0F : low;
      }
    }
  }
};

struct WideNormalSource {
  using Codec = Float64Codec;
  RandomStream stream;
  RandomStream low_stream;

  ASSAY_HOST_DEVICE void Block(uint64_t index, double out[kBlockWords]) const {
    uint32_t words[kBlockWords];
    uint32_t low_words[kBlockWords];
    float normals[kBlockWords];
    stream.Block(index, words);
    low_stream.Block(index, low_words);
    NormalPair(words[0], words[1], normals);
    NormalPair(words[2], words[3], normals + 2);
    for (int i = 0; i < kBlockWords; ++i) {
      out[i] = WidenNormal(normals[i], low_words[i]);
    }
  }
};

// Uniform in [low, low + 2^bits).
template <typename T>
struct UniformSource {
  using Codec = IntegerCodec<T>;
  RandomStream stream;
  int32_t low;
  uint32_t bits;

  ASSAY_HOST_DEVICE void Block(uint64_t index, T out[kBlockWords]) const {
    uint32_t words[kBlockWords];
    stream.Block(index, words);
    for (int i = 0; i < kBlockWords; ++i) {
      const auto steps = static_cast<int32_t>(words[i] >> (32 - bits));
      out[i] = static_cast<T>(static_cast<T>(low) + static_cast<T>(steps));
    }
  }
};

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_RANDOM_VALUES_H_
