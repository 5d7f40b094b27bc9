#include "kernels/measure/convert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/measure/element_type.h"
#include "kernels/measure/minifloat.h"

namespace assay::measure {
namespace {

class ConvertTest : public testing::TestWithParam<ElementType> {};

// The sign, exponent and upper mantissa bits in all combinations, with lower
// bits around every tie.
std::vector<float> InterestingFloats() {
  constexpr uint32_t kLowBits[] = {0x0000, 0x0001, 0x7FFF, 0x8000, 0x8001};
  std::vector<float> values;
  for (uint32_t high = 0; high <= 0xFFFF; ++high) {
    for (const uint32_t low : kLowBits) {
      values.push_back(BitCast<float>((high << 16) | low));
    }
  }
  return values;
}

TEST_P(ConvertTest, WritesWhatStoreFromDoubleWrites) {
  const std::vector<float> values = InterestingFloats();
  const size_t per_element = ValuesPerElement(GetParam());
  const size_t elements = values.size() / per_element;
  std::vector<char> got(elements * ElementBytes(GetParam()));
  std::vector<char> want(got.size());
  FromFloats(GetParam(), values.data(), elements, got.data());
  for (size_t i = 0; i < elements * per_element; ++i) {
    StoreFromDouble(GetParam(), static_cast<double>(values[i]), want.data(), i);
  }
  for (size_t i = 0; i < elements * per_element; ++i) {
    const double got_value = LoadAsDouble(GetParam(), got.data(), i);
    const double want_value = LoadAsDouble(GetParam(), want.data(), i);
    if (std::isnan(want_value)) {
      ASSERT_TRUE(std::isnan(got_value)) << values[i];
    } else {
      ASSERT_EQ(got_value, want_value) << values[i];
    }
    ASSERT_EQ(std::signbit(got_value), std::signbit(want_value)) << values[i];
  }
}

TEST_P(ConvertTest, ReadsWhatLoadAsDoubleReads) {
  std::vector<uint16_t> codes(65536);
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<uint16_t>(i);
  const size_t elements =
      codes.size() * sizeof(codes[0]) / ElementBytes(GetParam());
  const size_t values = elements * ValuesPerElement(GetParam());
  std::vector<float> got(values);
  ToFloats(GetParam(), codes.data(), elements, got.data());
  for (size_t i = 0; i < values; ++i) {
    const double want = LoadAsDouble(GetParam(), codes.data(), i);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(got[i])) << i;
    } else {
      ASSERT_EQ(static_cast<double>(got[i]), want) << i;
    }
  }
}

TEST_P(ConvertTest, ConvertsRunsOfAnyLengthAndNoMore) {
  for (size_t elements = 0; elements < 40; ++elements) {
    const std::vector<float> values(80, 1.5F);
    std::vector<char> data(160, 0x11);
    FromFloats(GetParam(), values.data(), elements, data.data());
    const size_t written = elements * ElementBytes(GetParam());
    ASSERT_EQ(std::string(data.data() + written, data.size() - written),
              std::string(data.size() - written, 0x11));
    std::vector<float> back(81, -7.0F);
    ToFloats(GetParam(), data.data(), elements, back.data());
    const size_t read = elements * ValuesPerElement(GetParam());
    for (size_t i = 0; i < read; ++i) ASSERT_EQ(back[i], 1.5F);
    ASSERT_EQ(back[read], -7.0F);
  }
}

std::vector<ElementType> TypesThatFitFloat() {
  std::vector<ElementType> types;
  for (const ElementType type : kElementTypes) {
    if (FitsFloat(type)) types.push_back(type);
  }
  return types;
}

INSTANTIATE_TEST_SUITE_P(AllTypes, ConvertTest,
                         testing::ValuesIn(TypesThatFitFloat()),
                         [](const auto& info) -> std::string {
                           return ElementTypeName(info.param);
                         });

TEST(FitsFloatTest, ExcludesFloat64AndIntegers) {
  EXPECT_EQ(TypesThatFitFloat().size(), 6U);
  EXPECT_FALSE(FitsFloat(ElementType::kFloat64));
  EXPECT_FALSE(FitsFloat(ElementType::kInt8));
  EXPECT_FALSE(FitsFloat(ElementType::kBool));
}

}  // namespace
}  // namespace assay::measure
