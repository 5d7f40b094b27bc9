// Conversion between float or double and the floating-point formats of 4, 8 and
// 16 bits. Branch-free, so that loops over it become vector code; the same for
// the CPU and for CUDA.
//
//   const uint32_t code = EncodeMinifloat<Float16Format>(1.5F);
//   const float value = DecodeMinifloat<Float16Format>(code);

#ifndef ASSAY_KERNELS_MEASURE_MINIFLOAT_H_
#define ASSAY_KERNELS_MEASURE_MINIFLOAT_H_

#include <cstdint>
#include <cstring>

#include "kernels/measure/attributes.h"

namespace assay::measure {

// A format is a sign bit above an exponent above a mantissa. With the sign
// cleared, codes are ordered as their values are, the special ones last.
struct Float16Format {
  static constexpr int kExponentBits = 5;
  static constexpr int kMantissaBits = 10;
  static constexpr int kBias = 15;
  // Lowest code that is an infinity or a NaN.
  static constexpr uint32_t kFirstSpecial = 0x7C00;
  // What becomes of a value that is too large, infinity included.
  static constexpr uint32_t kOverflow = 0x7C00;
  static constexpr uint32_t kNan = 0x7E00;
  static constexpr bool kNanKeepsSign = true;
};

struct BFloat16Format {
  static constexpr int kExponentBits = 8;
  static constexpr int kMantissaBits = 7;
  static constexpr int kBias = 127;
  static constexpr uint32_t kFirstSpecial = 0x7F80;
  static constexpr uint32_t kOverflow = 0x7F80;
  static constexpr uint32_t kNan = 0x7FC0;
  static constexpr bool kNanKeepsSign = true;
};

struct Float8E4M3FNFormat {
  static constexpr int kExponentBits = 4;
  static constexpr int kMantissaBits = 3;
  static constexpr int kBias = 7;
  static constexpr uint32_t kFirstSpecial = 0x7F;
  static constexpr uint32_t kOverflow = 0x7F;
  static constexpr uint32_t kNan = 0x7F;
  static constexpr bool kNanKeepsSign = true;
};

struct Float8E5M2Format {
  static constexpr int kExponentBits = 5;
  static constexpr int kMantissaBits = 2;
  static constexpr int kBias = 15;
  static constexpr uint32_t kFirstSpecial = 0x7C;
  static constexpr uint32_t kOverflow = 0x7C;
  static constexpr uint32_t kNan = 0x7F;
  static constexpr bool kNanKeepsSign = true;
};

struct Float4E2M1FNFormat {
  static constexpr int kExponentBits = 2;
  static constexpr int kMantissaBits = 1;
  static constexpr int kBias = 1;
  static constexpr uint32_t kFirstSpecial = 0x8;
  static constexpr uint32_t kOverflow = 0x7;
  static constexpr uint32_t kNan = 0x7;
  static constexpr bool kNanKeepsSign = false;
};

// The layouts that values come from.
template <typename T>
struct IeeeLayout;

template <>
struct IeeeLayout<float> {
  using Bits = uint32_t;
  static constexpr int kMantissaBits = 23;
  static constexpr int kBias = 127;
  static constexpr Bits kInfinity = 0x7F800000;
};

template <>
struct IeeeLayout<double> {
  using Bits = uint64_t;
  static constexpr int kMantissaBits = 52;
  static constexpr int kBias = 1023;
  static constexpr Bits kInfinity = 0x7FF0000000000000;
};

template <typename To, typename From>
ASSAY_HOST_DEVICE inline To BitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

// The nearest code, ties to even. element_type.h says what becomes of NaN and
// of values that are too large.
template <typename Format, typename T>
ASSAY_HOST_DEVICE inline uint32_t EncodeMinifloat(T value) {
  using Layout = IeeeLayout<T>;
  using Bits = typename Layout::Bits;
  constexpr int kDropped = Layout::kMantissaBits - Format::kMantissaBits;
  constexpr int kRebias = Layout::kBias - Format::kBias;
  constexpr Bits kOne = 1;
  constexpr Bits kSignBit = kOne << (sizeof(Bits) * 8 - 1);
  const Bits bits = BitCast<Bits>(value);
  const Bits magnitude = bits & ~kSignBit;

  // Normal: add just under half a unit, or half where the last bit is odd.
  const Bits rounding = (kOne << (kDropped - 1)) - kOne;
  const Bits odd = (magnitude >> kDropped) & kOne;
  const Bits normal = ((magnitude + rounding + odd) >> kDropped) -
                      (static_cast<Bits>(kRebias) << Format::kMantissaBits);

  // Subnormal: the sum with a power of two whose last place is the smallest
  // subnormal is rounded by the processor. The limit keeps it in range;
  // whatever is above it takes the other branch.
  constexpr Bits kFirstNormal = static_cast<Bits>(kRebias + 1)
                                << Layout::kMantissaBits;
  constexpr Bits kAlign = static_cast<Bits>(kRebias + 1 + kDropped)
                          << Layout::kMantissaBits;
  const Bits small = magnitude < kFirstNormal ? magnitude : kFirstNormal;
  const Bits subnormal =
      BitCast<Bits>(BitCast<T>(small) + BitCast<T>(kAlign)) - kAlign;

  Bits code = magnitude < kFirstNormal ? subnormal : normal;
  code = code < Format::kOverflow ? code : Bits{Format::kOverflow};
  const bool is_nan = magnitude > Layout::kInfinity;
  code = is_nan ? Bits{Format::kNan} : code;
  const Bits sign = (bits & kSignBit) == 0 ? Bits{0} : kOne;
  const Bits kept_sign = is_nan && !Format::kNanKeepsSign ? Bits{0} : sign;
  constexpr int kSignShift = Format::kExponentBits + Format::kMantissaBits;
  return static_cast<uint32_t>(code | (kept_sign << kSignShift));
}

// The value of a code, exactly. Bits above the sign are ignored.
template <typename Format>
ASSAY_HOST_DEVICE inline float DecodeMinifloat(uint32_t code) {
  using Layout = IeeeLayout<float>;
  constexpr int kSignShift = Format::kExponentBits + Format::kMantissaBits;
  constexpr int kShift = Layout::kMantissaBits - Format::kMantissaBits;
  constexpr uint32_t kRebias = Layout::kBias - Format::kBias;
  const uint32_t sign = ((code >> kSignShift) & 1U) << 31;
  const uint32_t moved = (code & ((1U << kSignShift) - 1)) << kShift;
  const uint32_t normal = moved + (kRebias << Layout::kMantissaBits);
  const uint32_t special = moved | Layout::kInfinity;
  // Subnormal: as the mantissa of the smallest normal value, less that value.
  // (A multiplication of the moved bits would do for both kinds, but many
  // processors take a hundred times longer over a subnormal operand.)
  constexpr uint32_t kSmallest = (kRebias + 1) << Layout::kMantissaBits;
  const auto subnormal = BitCast<uint32_t>(BitCast<float>(moved + kSmallest) -
                                           BitCast<float>(kSmallest));
  // Signed: that is what vector units compare.
  constexpr int32_t kFirstNormal = 1 << Layout::kMantissaBits;
  constexpr auto kFirstSpecial =
      static_cast<int32_t>(Format::kFirstSpecial << kShift);
  const auto order = static_cast<int32_t>(moved);
  const uint32_t finite = order < kFirstNormal ? subnormal : normal;
  const uint32_t bits = order >= kFirstSpecial ? special : finite;
  return BitCast<float>(bits | sign);
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_MINIFLOAT_H_
