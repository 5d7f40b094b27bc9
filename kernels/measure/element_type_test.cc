#include "kernels/measure/element_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace assay::measure {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A format as its specification has it, decoded field by field.
struct Format {
  ElementType type;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  enum { kIeee, kOneNan, kAllFinite } specials;
};

constexpr Format kFormats[] = {
    {ElementType::kFloat16, 5, 10, 15, Format::kIeee},
    {ElementType::kBFloat16, 8, 7, 127, Format::kIeee},
    {ElementType::kFloat8E4M3FN, 4, 3, 7, Format::kOneNan},
    {ElementType::kFloat8E5M2, 5, 2, 15, Format::kIeee},
    {ElementType::kFloat4E2M1FNx2, 2, 1, 1, Format::kAllFinite},
};

uint32_t SignBit(const Format& format) {
  return 1U << (format.exponent_bits + format.mantissa_bits);
}

double Decode(const Format& format, uint32_t code) {
  const uint32_t mantissa_mask = (1U << format.mantissa_bits) - 1;
  const uint32_t exponent_mask = (1U << format.exponent_bits) - 1;
  const uint32_t mantissa = code & mantissa_mask;
  const uint32_t exponent = (code >> format.mantissa_bits) & exponent_mask;
  const double sign = (code & SignBit(format)) != 0 ? -1.0 : 1.0;
  if (exponent == exponent_mask) {
    if (format.specials == Format::kIeee) {
      return mantissa == 0 ? sign * kInfinity : kNan;
    }
    if (format.specials == Format::kOneNan && mantissa == mantissa_mask) {
      return kNan;
    }
  }
  const int unit = std::max(static_cast<int>(exponent), 1) - format.bias -
                   format.mantissa_bits;
  const uint32_t hidden = exponent == 0 ? 0 : mantissa_mask + 1;
  return sign * std::ldexp(static_cast<double>(hidden + mantissa), unit);
}

// The code as memory holds it: small formats take the first byte or half byte.
double LoadCode(const Format& format, uint32_t code) {
  char data[sizeof(code)];
  std::memcpy(data, &code, sizeof(code));
  return LoadAsDouble(format.type, data, 0);
}

uint32_t StoreCode(const Format& format, double value) {
  uint32_t code = 0;
  char data[sizeof(code)] = {};
  StoreFromDouble(format.type, value, data, 0);
  std::memcpy(&code, data, sizeof(code));
  return code;
}

class MinifloatTest : public testing::TestWithParam<Format> {
 protected:
  // Codes of the finite values that are not negative, in ascending order.
  static std::vector<uint32_t> FiniteCodes() {
    std::vector<uint32_t> codes;
    for (uint32_t code = 0; code < SignBit(GetParam()); ++code) {
      if (std::isfinite(Decode(GetParam(), code))) codes.push_back(code);
    }
    return codes;
  }
};

TEST_P(MinifloatTest, EveryCodeLoadsAsItsValue) {
  for (uint32_t code = 0; code < 2 * SignBit(GetParam()); ++code) {
    const double want = Decode(GetParam(), code);
    const double got = LoadCode(GetParam(), code);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(got)) << code;
    } else {
      ASSERT_EQ(got, want) << code;
      ASSERT_EQ(std::signbit(got), std::signbit(want)) << code;
    }
  }
}

TEST_P(MinifloatTest, EveryValueStoresAsItsCode) {
  for (uint32_t code = 0; code < 2 * SignBit(GetParam()); ++code) {
    const double value = Decode(GetParam(), code);
    if (std::isnan(value)) continue;
    ASSERT_EQ(StoreCode(GetParam(), value), code) << value;
  }
}

TEST_P(MinifloatTest, ValuesBetweenTwoCodesRoundToTheNearest) {
  const std::vector<uint32_t> codes = FiniteCodes();
  for (size_t i = 0; i + 1 < codes.size(); ++i) {
    const double low = Decode(GetParam(), codes[i]);
    const double high = Decode(GetParam(), codes[i + 1]);
    const double middle = low + (high - low) / 2;
    const uint32_t even = codes[i] % 2 == 0 ? codes[i] : codes[i + 1];
    ASSERT_EQ(StoreCode(GetParam(), middle), even) << middle;
    ASSERT_EQ(StoreCode(GetParam(), std::nextafter(middle, low)), codes[i]);
    ASSERT_EQ(StoreCode(GetParam(), std::nextafter(middle, high)),
              codes[i + 1]);
    ASSERT_EQ(StoreCode(GetParam(), -middle), even | SignBit(GetParam()));
  }
}

TEST_P(MinifloatTest, NanStoresAsNanOfItsSignWhereThereIsOne) {
  const double stored = LoadCode(GetParam(), StoreCode(GetParam(), kNan));
  const double negative =
      LoadCode(GetParam(), StoreCode(GetParam(), std::copysign(kNan, -1)));
  if (GetParam().specials == Format::kAllFinite) {
    EXPECT_EQ(stored, 6.0);
    EXPECT_EQ(negative, 6.0);
  } else {
    EXPECT_TRUE(std::isnan(stored));
    EXPECT_FALSE(std::signbit(stored));
    EXPECT_TRUE(std::isnan(negative));
    EXPECT_TRUE(std::signbit(negative));
  }
}

INSTANTIATE_TEST_SUITE_P(AllFormats, MinifloatTest, testing::ValuesIn(kFormats),
                         [](const auto& info) -> std::string {
                           return ElementTypeName(info.param.type);
                         });

double StoreAndLoad(ElementType type, double value) {
  char data[8] = {};
  StoreFromDouble(type, value, data, 0);
  return LoadAsDouble(type, data, 0);
}

struct OverflowCase {
  ElementType type;
  // Just below and at the point where the value becomes too large.
  double below;
  double stored_below;
  double above;
  double stored_above;
};

TEST(ElementTypeTest, TooLargeValuesStoreAsDocumented) {
  const OverflowCase cases[] = {
      {ElementType::kFloat16, 65519.99, 65504, 65520, kInfinity},
      {ElementType::kBFloat16, 0x1.FEFFFFp127, 0x1.FEp127, 0x1.FFp127,
       kInfinity},
      {ElementType::kFloat8E5M2, 61439.99, 57344, 61440, kInfinity},
      {ElementType::kFloat8E4M3FN, 464, 448, 464.01, kNan},
      {ElementType::kFloat4E2M1FNx2, 6, 6, 1e30, 6},
      {ElementType::kFloat32, 0x1.FFFFFEp127, 0x1.FFFFFEp127, 1e39, kInfinity},
      {ElementType::kInt8, 127, 127, 128, 127},
      {ElementType::kUInt8, 255, 255, 256, 255},
      {ElementType::kInt16, 32767, 32767, 40000, 32767},
      {ElementType::kInt32, 2147483647.0, 2147483647.0, 2147483648.0,
       2147483647.0},
      {ElementType::kInt64, 0x1p62, 0x1p62, kInfinity, 0x1p63},
  };
  for (const OverflowCase& c : cases) {
    SCOPED_TRACE(ElementTypeName(c.type));
    EXPECT_EQ(StoreAndLoad(c.type, c.below), c.stored_below);
    const double above = StoreAndLoad(c.type, c.above);
    if (std::isnan(c.stored_above)) {
      EXPECT_TRUE(std::isnan(above));
    } else {
      EXPECT_EQ(above, c.stored_above);
    }
  }
}

TEST(ElementTypeTest, InfinityIsTooLargeForFloat8E4M3FN) {
  EXPECT_TRUE(std::isnan(StoreAndLoad(ElementType::kFloat8E4M3FN, kInfinity)));
}

TEST(ElementTypeTest, DoublesAreNotRoundedTwice) {
  // Through float32 this would become a tie, and round down to even.
  const double above_tie = 1.0 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(StoreAndLoad(ElementType::kFloat16, above_tie), 1.0 + 0x1p-10);
}

TEST(ElementTypeTest, IntegersRoundToNearestEven) {
  EXPECT_EQ(StoreAndLoad(ElementType::kInt32, 0.5), 0);
  EXPECT_EQ(StoreAndLoad(ElementType::kInt32, 1.5), 2);
  EXPECT_EQ(StoreAndLoad(ElementType::kInt32, -2.5), -2);
  EXPECT_EQ(StoreAndLoad(ElementType::kInt32, -2.6), -3);
}

TEST(ElementTypeTest, IntegersSaturateAtTheLowEnd) {
  EXPECT_EQ(StoreAndLoad(ElementType::kInt8, -1e9), -128);
  EXPECT_EQ(StoreAndLoad(ElementType::kUInt8, -1), 0);
  EXPECT_EQ(StoreAndLoad(ElementType::kInt64, -kInfinity), -0x1p63);
}

TEST(ElementTypeTest, NanStoresAsZeroInIntegers) {
  EXPECT_EQ(StoreAndLoad(ElementType::kInt16, kNan), 0);
  EXPECT_EQ(StoreAndLoad(ElementType::kUInt8, kNan), 0);
}

TEST(ElementTypeTest, BoolIsZeroOrOne) {
  char data[1];
  StoreFromDouble(ElementType::kBool, -0.25, data, 0);
  EXPECT_EQ(data[0], 1);
  StoreFromDouble(ElementType::kBool, -0.0, data, 0);
  EXPECT_EQ(data[0], 0);
  data[0] = 2;
  EXPECT_EQ(LoadAsDouble(ElementType::kBool, data, 0), 1.0);
}

TEST(ElementTypeTest, Float4PairHasItsFirstValueInTheLowHalf) {
  unsigned char data[2] = {0, 0};
  StoreFromDouble(ElementType::kFloat4E2M1FNx2, 1.0, data, 2);
  EXPECT_EQ(data[1], 0x02);
  StoreFromDouble(ElementType::kFloat4E2M1FNx2, -6.0, data, 3);
  EXPECT_EQ(data[1], 0xF2);
  EXPECT_EQ(LoadAsDouble(ElementType::kFloat4E2M1FNx2, data, 2), 1.0);
  EXPECT_EQ(LoadAsDouble(ElementType::kFloat4E2M1FNx2, data, 3), -6.0);
  EXPECT_EQ(data[0], 0);
}

TEST(ElementTypeTest, ValuesAreFoundByIndexInUnalignedMemory) {
  for (const ElementType type : kElementTypes) {
    SCOPED_TRACE(ElementTypeName(type));
    char data[1 + 4 * 8] = {};
    for (size_t i = 0; i < 4; ++i) {
      StoreFromDouble(type, i % 2 == 0 ? 1 : 0, data + 1, i);
    }
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(LoadAsDouble(type, data + 1, i), i % 2 == 0 ? 1 : 0);
    }
  }
}

TEST(ElementTypeTest, SizesAreThoseOfTheSchema) {
  std::vector<std::pair<std::string, size_t>> sizes;
  for (const ElementType type : kElementTypes) {
    sizes.emplace_back(ElementTypeName(type), ElementBytes(type));
  }
  EXPECT_THAT(
      sizes,
      testing::ElementsAre(
          testing::Pair("float64", 8), testing::Pair("float32", 4),
          testing::Pair("float16", 2), testing::Pair("bfloat16", 2),
          testing::Pair("float8_e4m3fn", 1), testing::Pair("float8_e5m2", 1),
          testing::Pair("float4_e2m1fn_x2", 1), testing::Pair("int64", 8),
          testing::Pair("int32", 4), testing::Pair("int16", 2),
          testing::Pair("int8", 1), testing::Pair("uint8", 1),
          testing::Pair("bool", 1)));
}

}  // namespace
}  // namespace assay::measure
