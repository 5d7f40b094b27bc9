#include "worker/evaluate/evaluators/topk_index_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status_testing.h"
#include "kernels/measure/element_type.h"
#include "worker/device/cpu_device.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

constexpr int kPages = 4;
constexpr int kPageSize = 2;
constexpr int kDim = 1;
constexpr int kTopK = 3;

// One sequence of five tokens on pages 2, 0 and 3: indices 4, 5, 0, 1, 6. With
// one head and one dimension a token's score is its key.
class TopKIndexEvaluatorTest : public testing::Test {
 protected:
  void SetUp() override {
    AddTensor(sizes_.inputs, "q_index_fp8", v1::DTYPE_FLOAT8_E4M3FN, 1,
              {1, 1, kDim});
    AddTensor(sizes_.inputs, "k_index_cache_fp8", v1::DTYPE_INT8, 1,
              {kPages, kPageSize, 1, kDim + 4});
    AddTensor(sizes_.inputs, "weights", v1::DTYPE_FLOAT32, 4, {1, 1});
    AddTensor(sizes_.inputs, "seq_lens", v1::DTYPE_INT32, 4, {1});
    AddTensor(sizes_.inputs, "block_table", v1::DTYPE_INT32, 4, {1, 3});
    AddTensor(sizes_.outputs, "topk_indices", v1::DTYPE_INT32, 4, {1, kTopK});
    settings_.evaluator = "dsa_topk_indexer";
    ASSERT_OK_AND_ASSIGN(CaseMemory memory,
                         CaseMemory::Allocate(device_, sizes_, {}, {1, 1, 1}));
    memory_.emplace(std::move(memory));
    std::string one(1, '\0');
    measure::StoreFromDouble(measure::ElementType::kFloat8E4M3FN, 1, one.data(),
                             0);
    ASSERT_OK(device_.Upload(memory_->Input(0), one));
    Put<float>(memory_->Input(2), {2});
    Put<int32_t>(memory_->Input(3), {5});
    Put<int32_t>(memory_->Input(4), {2, 0, 3});
    // By index; those of 1 and 5 are alike.
    PutKeys({8, 4, 9, 9, 0.5, 4, 1, 9});
    Put<int32_t>(memory_->Expected(0), {0, 1, 5});
  }

  static void AddTensor(std::vector<ResolvedTensor>& tensors, const char* name,
                        v1::DType dtype, int64_t element_bytes,
                        std::vector<int64_t> dims) {
    ResolvedTensor tensor;
    tensor.name = name;
    tensor.dtype = dtype;
    tensor.bytes = element_bytes;
    for (const int64_t dim : dims) tensor.bytes *= dim;
    tensor.dims = std::move(dims);
    tensors.push_back(tensor);
  }

  template <typename T>
  void Put(const Region& region, const std::vector<T>& values) {
    ASSERT_OK(
        device_.Upload(region, {reinterpret_cast<const char*>(values.data()),
                                values.size() * sizeof(T)}));
  }

  // Half the key as a number, twice as its scale.
  void PutKeys(const std::vector<double>& keys) {
    std::string cache(kPages * kPageSize * (kDim + 4), '\0');
    for (size_t i = 0; i < keys.size(); ++i) {
      char* page = cache.data() + i / kPageSize * kPageSize * (kDim + 4);
      measure::StoreFromDouble(measure::ElementType::kFloat8E4M3FN, keys[i] / 2,
                               page, i % kPageSize);
      measure::StoreFromDouble(measure::ElementType::kFloat32, 2,
                               page + kPageSize * kDim, i % kPageSize);
    }
    ASSERT_OK(device_.Upload(memory_->Input(1), cache));
  }

  std::string Judge(const std::vector<int32_t>& indices) {
    Put(memory_->Output(0, 0), indices);
    const auto made = TopKIndexEvaluator::New(sizes_, settings_);
    if (!made.ok()) return std::string(made.status().message());
    EXPECT_OK((*made)->Add(device_, *memory_, {}));
    error_ = (*made)->correctness().max_absolute_error();
    return (*made)->failure();
  }

  CpuDevice device_{CpuDeviceOptions{}};
  ResolvedCase sizes_;
  std::optional<CaseMemory> memory_;
  EvaluationSettings settings_;
  double error_ = 0;
};

TEST_F(TopKIndexEvaluatorTest, AnyOrderIsRight) {
  EXPECT_EQ(Judge({0, 1, 5}), "");
  EXPECT_EQ(Judge({5, 0, 1}), "");
  EXPECT_EQ(error_, 0);
}

TEST_F(TopKIndexEvaluatorTest, OfTokensThatScoreAlikeAnyWillDo) {
  Put<int32_t>(memory_->Expected(0), {0, 1, 6});
  EXPECT_EQ(Judge({0, 5, 6}), "");
}

TEST_F(TopKIndexEvaluatorTest, ATokenThatScoresLessIsWrong) {
  EXPECT_THAT(Judge({0, 1, 6}),
              HasSubstr("row 0: 1 of 3 scores of the chosen tokens"));
  // 1 for 4, with the weight 2.
  EXPECT_EQ(error_, 6);
  settings_.required_matched_ratio = 0.6;
  EXPECT_EQ(Judge({0, 1, 6}), "");
}

TEST_F(TopKIndexEvaluatorTest, IndicesMustBeOfTheSequence) {
  // On a page that is not its own, past its end on its own, and no index at
  // all.
  for (const int32_t index : {2, 7, 8, -2, 1 << 30}) {
    EXPECT_THAT(Judge({0, 1, index}),
                HasSubstr("none of the 5 tokens of the sequence"))
        << index;
  }
}

TEST_F(TopKIndexEvaluatorTest, NoneMayComeTwice) {
  EXPECT_THAT(Judge({0, 0, 1}), HasSubstr("index 0 comes twice"));
}

TEST_F(TopKIndexEvaluatorTest, ShortSequencesAreFilledUp) {
  Put<int32_t>(memory_->Input(3), {2});
  Put<int32_t>(memory_->Expected(0), {5, 4, -1});
  EXPECT_EQ(Judge({-1, 4, 5}), "");
  EXPECT_THAT(Judge({-1, -1, 5}), HasSubstr("1 of 3 scores"));
}

// As torch has it: NaN counts as the largest.
TEST_F(TopKIndexEvaluatorTest, ScoresThatAreNoNumbersComeFirst) {
  PutKeys({NAN, 4, 9, 9, 0.5, NAN, 1, 9});
  EXPECT_EQ(Judge({5, 1, 0}), "");
  EXPECT_THAT(Judge({1, 4, 0}), HasSubstr("2 of 3 scores"));
}

TEST_F(TopKIndexEvaluatorTest, SaysWhatShapesItWants) {
  sizes_.inputs[1].dims[3] = kDim;
  EXPECT_THAT(Judge({0, 1, 5}), HasSubstr("wants q_index_fp8"));
}

}  // namespace
}  // namespace assay
