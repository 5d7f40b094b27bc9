#include "kernels/measure/random_values.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "kernels/measure/generate.h"
#include "kernels/measure/vector_encode.h"

namespace assay::measure {
namespace {

constexpr Key kKey = {{5, 6, 7, 8}};
constexpr uint32_t kStream = 3;
// 32 values, the most that a vector holds, and some.
constexpr size_t kValues = 4096;

// As the threads of a device make a tensor.
template <typename Source>
std::vector<unsigned char> MakeByBlocks(const Source& source) {
  using Codec = typename Source::Codec;
  constexpr size_t kPerVector = VectorShape<Codec>::kValues;
  std::vector<typename Codec::Value> values(kValues);
  for (size_t i = 0; i < kValues / kBlockWords; ++i) {
    source.Block(i, values.data() + i * kBlockWords);
  }
  std::vector<unsigned char> data(kValues / kPerVector * kVectorBytes);
  for (size_t i = 0; i < kValues / kPerVector; ++i) {
    const Vector vector = EncodeVector<Codec>(values.data() + i * kPerVector);
    std::memcpy(data.data() + i * kVectorBytes, &vector, kVectorBytes);
  }
  return data;
}

std::vector<unsigned char> MakeByBlocks(ElementType type) {
  const RandomStream words = MakeStream(kKey, Domain::kValues, kStream);
  switch (type) {
    case ElementType::kFloat64:
      return MakeByBlocks(WideNormalSource{
          words, MakeStream(kKey, Domain::kValuesLow, kStream)});
    case ElementType::kFloat32:
      return MakeByBlocks(NormalSource<Float32Codec>{words});
    case ElementType::kFloat16:
      return MakeByBlocks(NormalSource<Float16Codec>{words});
    case ElementType::kBFloat16:
      return MakeByBlocks(NormalSource<BFloat16Codec>{words});
    case ElementType::kFloat8E4M3FN:
      return MakeByBlocks(NormalSource<Float8E4M3FNCodec>{words});
    case ElementType::kFloat8E5M2:
      return MakeByBlocks(NormalSource<Float8E5M2Codec>{words});
    case ElementType::kFloat4E2M1FNx2:
      return MakeByBlocks(NormalSource<Float4E2M1FNCodec>{words});
    case ElementType::kInt64:
      return MakeByBlocks(UniformSource<int64_t>{words, -1024, 11});
    case ElementType::kInt32:
      return MakeByBlocks(UniformSource<int32_t>{words, -1024, 11});
    case ElementType::kInt16:
      return MakeByBlocks(UniformSource<int16_t>{words, -1024, 11});
    case ElementType::kInt8:
      return MakeByBlocks(UniformSource<int8_t>{words, -128, 8});
    case ElementType::kUInt8:
      return MakeByBlocks(UniformSource<uint8_t>{words, 0, 8});
    case ElementType::kBool:
      return MakeByBlocks(UniformSource<uint8_t>{words, 0, 1});
  }
  return {};
}

class RandomValuesTest : public testing::TestWithParam<ElementType> {};

TEST_P(RandomValuesTest, AreThoseOfGenerate) {
  const size_t elements = kValues / ValuesPerElement(GetParam());
  std::vector<unsigned char> expected(elements * ElementBytes(GetParam()));
  Generate(GetParam(), expected.data(), elements, kKey, kStream);
  EXPECT_EQ(MakeByBlocks(GetParam()), expected);
}

INSTANTIATE_TEST_SUITE_P(AllTypes, RandomValuesTest,
                         testing::ValuesIn(kElementTypes),
                         [](const auto& info) -> std::string {
                           return ElementTypeName(info.param);
                         });

}  // namespace
}  // namespace assay::measure
