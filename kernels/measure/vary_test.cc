#include "kernels/measure/vary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "kernels/measure/generate.h"

namespace assay::measure {
namespace {

constexpr Key kKey = {{1, 2, 3, 4}};
constexpr size_t kCount = 4099;

// Elements of a type; aligned for any.
struct Tensor {
  explicit Tensor(ElementType type, size_t count = kCount)
      : type(type), count(count), words((count * ElementBytes(type) + 7) / 8) {}

  double At(size_t i) const { return LoadAsDouble(type, words.data(), i); }
  void Set(size_t i, double value) {
    StoreFromDouble(type, value, words.data(), i);
  }

  ElementType type;
  size_t count;
  std::vector<uint64_t> words;
};

Tensor Varied(const Tensor& stored, const Key& key = kKey,
              uint32_t stream = 0) {
  Tensor varied(stored.type, stored.count);
  EXPECT_TRUE(Vary(stored.type, stored.words.data(), varied.words.data(),
                   stored.count, key, stream));
  return varied;
}

// Half the distance of neighbours, in proportion.
double RoundingOf(ElementType type) {
  switch (type) {
    case ElementType::kFloat64:
      return 0x1p-53;
    case ElementType::kFloat32:
      return 0x1p-24;
    case ElementType::kFloat16:
      return 0x1p-11;
    case ElementType::kBFloat16:
      return 0x1p-8;
    case ElementType::kFloat8E4M3FN:
      return 0x1p-4;
    default:
      return 0x1p-3;
  }
}

class VaryTest : public testing::TestWithParam<ElementType> {};

TEST_P(VaryTest, MovesValuesByUpToAnEighth) {
  Tensor stored(GetParam());
  for (size_t i = 0; i < kCount; ++i) stored.Set(i, i % 2 == 0 ? 1.5 : -24);
  const Tensor varied = Varied(stored);
  const double most = 0.125 + 1.125 * RoundingOf(GetParam());
  double sum = 0;
  size_t moved = 0;
  for (size_t i = 0; i < kCount; ++i) {
    const double share = varied.At(i) / stored.At(i) - 1;
    ASSERT_LE(std::abs(share), most) << i;
    sum += share;
    if (share != 0) ++moved;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_GT(moved, kCount / 4);
}

// The codes are those of positive values in order, infinity or NaN next.
double LargestOf(ElementType type) {
  uint64_t code = 0;
  StoreFromDouble(type, std::numeric_limits<double>::infinity(), &code, 0);
  --code;
  return LoadAsDouble(type, &code, 0);
}

double SmallestOf(ElementType type) {
  const uint64_t code = 1;
  return LoadAsDouble(type, &code, 0);
}

TEST_P(VaryTest, KeepsWhatIsSpecial) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double values[] = {0.0, -0.0, kInfinity, -kInfinity,
                           std::numeric_limits<double>::quiet_NaN()};
  Tensor stored(GetParam());
  for (size_t i = 0; i < kCount; ++i) stored.Set(i, values[i % 5]);
  EXPECT_EQ(Varied(stored).words, stored.words);
}

TEST_P(VaryTest, MakesNothingSpecial) {
  const double values[] = {LargestOf(GetParam()), SmallestOf(GetParam())};
  Tensor stored(GetParam());
  for (size_t i = 0; i < kCount; ++i) stored.Set(i, values[i % 2]);
  const Tensor varied = Varied(stored);
  for (size_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(std::isfinite(varied.At(i))) << i;
    ASSERT_GT(varied.At(i), 0) << i;
  }
}

TEST_P(VaryTest, DependsOnKeyStreamAndPlaceAlone) {
  Tensor stored(GetParam());
  Generate(GetParam(), stored.words.data(), kCount, kKey, 0);
  const Tensor varied = Varied(stored);
  EXPECT_EQ(Varied(stored).words, varied.words);
  EXPECT_NE(Varied(stored, kKey, 1).words, varied.words);
  EXPECT_NE(Varied(stored, {{1, 2, 3, 5}}).words, varied.words);
  Tensor shorter(GetParam(), 1001);
  std::memcpy(shorter.words.data(), stored.words.data(),
              1001 * ElementBytes(GetParam()));
  EXPECT_EQ(std::memcmp(Varied(shorter).words.data(), varied.words.data(),
                        1001 * ElementBytes(GetParam())),
            0);
}

std::string TypeName(const testing::TestParamInfo<ElementType>& info) {
  return ElementTypeName(info.param);
}

INSTANTIATE_TEST_SUITE_P(
    AllTypes, VaryTest,
    testing::Values(ElementType::kFloat64, ElementType::kFloat32,
                    ElementType::kFloat16, ElementType::kBFloat16,
                    ElementType::kFloat8E4M3FN, ElementType::kFloat8E5M2),
    TypeName);

TEST(VaryOtherTypesTest, AreLeftAsTheyAre) {
  for (const ElementType type : kElementTypes) {
    if (CanVary(type)) continue;
    Tensor stored(type);
    Tensor varied(type);
    EXPECT_FALSE(
        Vary(type, stored.words.data(), varied.words.data(), kCount, kKey, 0));
    EXPECT_EQ(varied.words, stored.words);
  }
  EXPECT_FALSE(CanVary(ElementType::kInt64));
  EXPECT_FALSE(CanVary(ElementType::kBool));
  EXPECT_FALSE(CanVary(ElementType::kFloat4E2M1FNx2));
}

}  // namespace
}  // namespace assay::measure
