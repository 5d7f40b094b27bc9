// As HalfScreen, for the floating-point type of 4 bits: four values at a time,
// as bytes. Internal to this folder; the CPU compiles it for tests.
//
// The type has eight sizes, all multiples of a half. For each size of a wanted
// value, tables say between which bounds the other one passes: that is exact.
// An instruction looks four values up in a table of eight bytes.

#ifndef ASSAY_KERNELS_MEASURE_NIBBLE_SCREEN_H_
#define ASSAY_KERNELS_MEASURE_NIBBLE_SCREEN_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/judge.h"

namespace assay::measure {

// Eight bytes, the first in the lowest bits.
struct ByteTable {
  uint32_t low;
  uint32_t high;

  ASSAY_HOST_DEVICE int Get(int index) const {
    return static_cast<int>(((index < 4 ? low : high) >> (8 * (index % 4))) &
                            0xFFU);
  }
  // The byte must be 0 before.
  ASSAY_HOST_DEVICE void Set(int index, int byte) {
    const uint32_t moved = static_cast<uint32_t>(byte) << (8 * (index % 4));
    low |= index < 4 ? moved : 0;
    high |= index < 4 ? 0 : moved;
  }
};

// The four bytes that the lower four nibbles of `indices` name. A nibble above
// 7 takes the top bit of byte number nibble - 8 for all bits.
ASSAY_HOST_DEVICE inline uint32_t LookUp(const ByteTable& table,
                                         uint32_t indices) {
#if defined(__CUDA_ARCH__)
  uint32_t bytes;
  asm("prmt.b32 %0, %1, %2, %3;"
      : "=r"(bytes)
      : "r"(table.low), "r"(table.high), "r"(indices));
  return bytes;
#else
  uint32_t bytes = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t nibble = (indices >> (4 * i)) & 0xFU;
    const auto byte =
        static_cast<uint32_t>(table.Get(static_cast<int>(nibble & 7U)));
    const uint32_t spread = (byte & 0x80U) != 0 ? 0xFFU : 0U;
    bytes |= (nibble < 8 ? byte : spread) << (8 * i);
  }
  return bytes;
#endif
}

class NibbleScreen {
 public:
  ASSAY_HOST_DEVICE explicit NibbleScreen(const Limits<float>& limits)
      : limits_(limits) {
    Raise(0, 0);
  }

  // Whether no error of the eight values of a word can matter.
  ASSAY_HOST_DEVICE bool Passes(uint32_t got, uint32_t want) const {
    const uint32_t got_sizes = got & 0x77777777U;
    const uint32_t want_sizes = want & 0x77777777U;
    const uint32_t opposite = (got ^ want) & 0x88888888U;
    const uint32_t tops =
        FourPass(got_sizes, want_sizes, opposite) &
        FourPass(got_sizes >> 16, want_sizes >> 16, opposite >> 16);
    return (tops & kTops) == kTops;
  }

  // Largest errors only grow.
  ASSAY_HOST_DEVICE void Raise(float max_abs, float max_rel) {
    ByteTable largest = {};
    least_ = {};
    most_ = {};
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int i = 0; i < 8; ++i) {
      const int size = Sizes().Get(i);
      const int passed =
          LargestPassed(size, largest_passed_.Get(i), max_abs, max_rel);
      largest.Set(i, passed);
      const int least = size > passed ? size - passed : size - passed - 1;
      const int most = size + passed;
      least_.Set(i, (least > -kBias ? least : -kBias) + kBias);
      most_.Set(i,
                0x80 | ((most < kLargestSize ? most : kLargestSize) + kBias));
    }
    largest_passed_ = largest;
  }

 private:
  static constexpr uint32_t kTops = 0x80808080U;
  static constexpr int kLargestSize = 12;
  // What makes the least place, that of -kLargestSize, 0.
  static constexpr int kBias = 13;

  // In halves.
  ASSAY_HOST_DEVICE static constexpr ByteTable Sizes() {
    return {0x03020100U, 0x0C080604U};
  }

  // The largest error, in halves, that passes for a size; known to be at least
  // `passed`.
  ASSAY_HOST_DEVICE int LargestPassed(int size, int passed, float max_abs,
                                      float max_rel) const {
    const float want = static_cast<float>(size) * 0.5F;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (; passed < 2 * kLargestSize; ++passed) {
      const float got = want + static_cast<float>(passed + 1) * 0.5F;
      const Verdict<float> verdict = Judge(got, want, limits_);
      if (verdict.wrong || verdict.abs_error > max_abs ||
          verdict.rel_error > max_rel) {
        break;
      }
    }
    return passed;
  }

  // The top bit of each byte says whether a value passes. `opposite` has the
  // top bits of the nibbles where the signs differ.
  //
  // A value has a place: its size s if its sign is that of the wanted value,
  // otherwise -1 - s, plus kBias. The places of all that pass are between two
  // bounds; a difference of bytes keeps its top bit if it is not negative.
  ASSAY_HOST_DEVICE uint32_t FourPass(uint32_t got_sizes, uint32_t want_sizes,
                                      uint32_t opposite) const {
    const uint32_t flips = LookUp({0x80U, 0U}, opposite);
    const uint32_t places =
        ((LookUp(Sizes(), got_sizes) ^ flips) & ~kTops) + kBias * 0x01010101U;
    const uint32_t above = (places | kTops) - LookUp(least_, want_sizes);
    const uint32_t below = LookUp(most_, want_sizes) - (places & ~kTops);
    return above & below;
  }

  Limits<float> limits_;
  ByteTable largest_passed_ = {};
  ByteTable least_ = {};
  ByteTable most_ = {};
};

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_NIBBLE_SCREEN_H_
