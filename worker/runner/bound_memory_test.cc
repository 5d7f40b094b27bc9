#include "worker/runner/bound_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/status_testing.h"
#include "worker/runner/runner_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<UniqueFd> Copies(const TestMemory& memory) {
  std::vector<UniqueFd> fds;
  for (const int fd : memory.fds()) fds.push_back(Duplicate(fd).value());
  return fds;
}

TEST(BoundMemoryTest, DescribesTensorsInTheirPlace) {
  TestMemory memory;
  memory.Input<float>(v1::DTYPE_FLOAT32, {2, 3}, {1, 2, 3, 4, 5, 6});
  memory.InputInt(9);
  memory.Output<float>(v1::DTYPE_FLOAT32, {1}, {0});
  ASSERT_OK_AND_ASSIGN(
      const auto bound,
      BoundMemory::Map(memory.bind(), Copies(memory), nullptr));
  ASSERT_THAT(bound->draws(), SizeIs(1));
  ASSERT_THAT(bound->draws()[0], SizeIs(2));
  const BoundTensor& x = *bound->draws()[0][0].tensor;
  EXPECT_EQ(static_cast<const float*>(x.tensor.data)[5], 6);
  EXPECT_EQ(x.bytes, 24);
  EXPECT_THAT(std::vector<int64_t>(x.tensor.shape, x.tensor.shape + 2),
              ElementsAre(2, 3));
  EXPECT_THAT(std::vector<int64_t>(x.tensor.strides, x.tensor.strides + 2),
              ElementsAre(3, 1));
  EXPECT_EQ(DescribeTensor(x.tensor), "float32[2, 3]");
  EXPECT_EQ(bound->draws()[0][1].tensor, nullptr);
  EXPECT_EQ(bound->draws()[0][1].scalar.int_value(), 9);
}

TEST(BoundMemoryTest, OutputsAreShared) {
  TestMemory memory;
  memory.Output<float>(v1::DTYPE_FLOAT32, {1}, {0});
  ASSERT_OK_AND_ASSIGN(
      const auto bound,
      BoundMemory::Map(memory.bind(), Copies(memory), nullptr));
  *static_cast<float*>(bound->slots()[0][0]->tensor.data) = 7;
  EXPECT_THAT(memory.ReadOutput<float>(0, 1), ElementsAre(7));
}

TEST(BoundMemoryTest, TensorOfNoElementsHasNoData) {
  TestMemory memory;
  memory.Input<float>(v1::DTYPE_FLOAT32, {4, 0}, {});
  ASSERT_OK_AND_ASSIGN(
      const auto bound,
      BoundMemory::Map(memory.bind(), Copies(memory), nullptr));
  EXPECT_EQ(bound->draws()[0][0].tensor->tensor.data, nullptr);
}

TEST(BoundMemoryTest, MissingDescriptorIsRefused) {
  TestMemory memory;
  EXPECT_THAT(BoundMemory::Map(memory.bind(), {}, nullptr),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("2 arenas came with 0 descriptors")));
}

// Binds one float32 input after `change` and expects a refusal.
template <typename Change>
void ExpectRefused(Change change) {
  TestMemory memory;
  memory.Input<float>(v1::DTYPE_FLOAT32, {4}, {1, 2, 3, 4});
  change(*memory.bind().mutable_draws(0)->mutable_values(0)->mutable_tensor());
  EXPECT_THAT(BoundMemory::Map(memory.bind(), Copies(memory), nullptr),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::_));
}

TEST(BoundMemoryTest, UnknownArenaIsRefused) {
  ExpectRefused([](worker::TensorRef& ref) { ref.set_arena(2); });
  ExpectRefused([](worker::TensorRef& ref) { ref.set_arena(-1); });
}

TEST(BoundMemoryTest, TensorBeyondTheArenaIsRefused) {
  ExpectRefused(
      [](worker::TensorRef& ref) { ref.set_offset(TestArena::kBytes - 15); });
  ExpectRefused([](worker::TensorRef& ref) { ref.set_offset(-256); });
  ExpectRefused([](worker::TensorRef& ref) {
    ref.set_offset(std::numeric_limits<int64_t>::max());
  });
}

TEST(BoundMemoryTest, AbsurdShapesAreRefused) {
  ExpectRefused([](worker::TensorRef& ref) { ref.set_shape(0, -1); });
  ExpectRefused(
      [](worker::TensorRef& ref) { ref.set_shape(0, int64_t{1} << 62); });
  ExpectRefused([](worker::TensorRef& ref) {
    ref.set_shape(0, int64_t{1} << 33);
    ref.add_shape(int64_t{1} << 33);
  });
}

TEST(BoundMemoryTest, TensorWithoutDtypeIsRefused) {
  ExpectRefused(
      [](worker::TensorRef& ref) { ref.set_dtype(v1::DTYPE_UNSPECIFIED); });
}

TEST(BoundMemoryTest, EveryDtypeHasADescription) {
  for (int number = v1::DType_MIN + 1; number <= v1::DType_MAX; ++number) {
    const DLDataType type = ToDLDataType(static_cast<v1::DType>(number));
    EXPECT_GT(type.bits * type.lanes, 0) << number;
  }
}

}  // namespace
}  // namespace assay
