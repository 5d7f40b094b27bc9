#include "worker/evaluate/evaluators/sampling_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "base/status_testing.h"
#include "worker/device/cpu_device.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

constexpr int kRows = 2;
constexpr int kVocabulary = 1000;
constexpr int kTopK = 50;

// probs [2, 1000] of float32, top_k [2] and samples [2].
class SamplingEvaluatorTest : public testing::Test {
 protected:
  using Sampler = std::function<int64_t(const std::vector<float>& row)>;

  void SetUp() override {
    AddTensor(sizes_.inputs, "probs", v1::DTYPE_FLOAT32, {kRows, kVocabulary});
    AddTensor(sizes_.inputs, "top_k", v1::DTYPE_INT32, {kRows});
    AddTensor(sizes_.outputs, "samples", v1::DTYPE_INT64, {kRows});
    ASSERT_OK_AND_ASSIGN(CaseMemory memory,
                         CaseMemory::Allocate(device_, sizes_, {}, {1, 1, 1}));
    memory_.emplace(std::move(memory));
    Put(memory_->Input(1), std::vector<int32_t>(kRows, kTopK));
    Draw();
    settings_.evaluator = "sampling";
    MakeEvaluator();
  }

  void MakeEvaluator() {
    ASSERT_OK_AND_ASSIGN(
        evaluator_, SamplingEvaluator::New(workload_, sizes_, settings_, 1));
  }

  static void AddTensor(std::vector<ResolvedTensor>& tensors, const char* name,
                        v1::DType dtype, std::vector<int64_t> dims) {
    ResolvedTensor tensor;
    tensor.name = name;
    tensor.dtype = dtype;
    tensor.bytes = dtype == v1::DTYPE_INT64 ? 8 : 4;
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

  // New probabilities.
  void Draw() {
    std::normal_distribution<float> normal;
    probs_.assign(kRows, std::vector<float>(kVocabulary));
    std::vector<float> all;
    for (std::vector<float>& row : probs_) {
      for (float& value : row) value = std::exp(normal(random_));
      const float sum = std::accumulate(row.begin(), row.end(), 0.0F);
      for (float& value : row) value /= sum;
      all.insert(all.end(), row.begin(), row.end());
    }
    Put(memory_->Input(0), all);
  }

  void Call(const Sampler& sampler) {
    std::vector<int64_t> tokens;
    for (const std::vector<float>& row : probs_) tokens.push_back(sampler(row));
    Put(memory_->Output(0, 0), tokens);
    ASSERT_OK(evaluator_->Add(device_, *memory_, {}));
  }

  // As an evaluation makes them: many on a draw, then new draws.
  void Evaluate(const Sampler& repeated, const Sampler& timed) {
    for (int i = 0; i < 500; ++i) Call(repeated);
    evaluator_->Conclude();
    for (int i = 0; i < 150; ++i) {
      Draw();
      Call(timed);
    }
    evaluator_->Conclude();
  }

  static std::vector<float> Kept(std::vector<float> row) {
    std::vector<float> sorted = row;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    for (float& value : row) {
      if (value < sorted[kTopK - 1]) value = 0;
    }
    return row;
  }

  static int64_t Sample(const std::vector<float>& row,
                        std::mt19937_64& random) {
    const std::vector<float> kept = Kept(row);
    return std::discrete_distribution<int64_t>(kept.begin(),
                                               kept.end())(random);
  }

  static int64_t Argmax(const std::vector<float>& row) {
    return std::max_element(row.begin(), row.end()) - row.begin();
  }

  v1::Workload workload_;
  CpuDevice device_{CpuDeviceOptions{}};
  ResolvedCase sizes_;
  std::optional<CaseMemory> memory_;
  EvaluationSettings settings_;
  std::unique_ptr<Evaluator> evaluator_;
  std::mt19937_64 random_{5};
  std::vector<std::vector<float>> probs_;
  const Sampler honest_ = [this](const auto& row) {
    return Sample(row, random_);
  };
  // The same generator in every call.
  const Sampler fixed_ = [](const auto& row) {
    std::mt19937_64 fixed(42);
    return Sample(row, fixed);
  };
};

TEST_F(SamplingEvaluatorTest, HonestSamplersPass) {
  for (int i = 0; i < 5; ++i) {
    MakeEvaluator();
    Evaluate(honest_, honest_);
    EXPECT_EQ(evaluator_->failure(), "");
  }
}

TEST_F(SamplingEvaluatorTest, SameTokensForTheSameInputsFail) {
  Evaluate(fixed_, honest_);
  EXPECT_THAT(evaluator_->failure(), HasSubstr("on the same inputs"));
}

TEST_F(SamplingEvaluatorTest, ThatIsSoWithTheThresholdOfFlashInferBench) {
  settings_.sampling_tvd_threshold = 0.2;
  MakeEvaluator();
  Evaluate(fixed_, honest_);
  EXPECT_THAT(evaluator_->failure(), HasSubstr("on the same inputs"));
}

TEST_F(SamplingEvaluatorTest, ArgmaxFailsAlsoWhereInputsAreNewOnly) {
  Evaluate(Argmax, Argmax);
  EXPECT_THAT(evaluator_->failure(), HasSubstr("on the same inputs"));
  MakeEvaluator();
  Evaluate(honest_, Argmax);
  EXPECT_THAT(evaluator_->failure(), HasSubstr("on inputs that are new"));
}

TEST_F(SamplingEvaluatorTest, OneTokenThatIsNotKeptFails) {
  Call([](const auto& row) {
    return std::min_element(row.begin(), row.end()) - row.begin();
  });
  EXPECT_THAT(evaluator_->failure(), HasSubstr("row 0: token "));
  EXPECT_THAT(evaluator_->failure(), HasSubstr("top_k 50"));
}

TEST_F(SamplingEvaluatorTest, OneTokenOutsideOfTheVocabularyFails) {
  Call([](const auto&) { return kVocabulary; });
  EXPECT_THAT(evaluator_->failure(),
              HasSubstr("token 1000 is not in the vocabulary of 1000"));
  MakeEvaluator();
  Call([](const auto&) { return -1; });
  EXPECT_THAT(evaluator_->failure(), HasSubstr("token -1 is not"));
}

TEST_F(SamplingEvaluatorTest, InputsThatAreNoProbabilitiesAreTold) {
  const auto judge = [this](float value, bool everywhere) {
    std::vector<float> probs(kRows * kVocabulary, everywhere ? value : 1);
    probs[kVocabulary + 3] = value;
    Put(memory_->Input(0), probs);
    return evaluator_->Add(device_, *memory_, {});
  };
  for (const float value : {-1.0F, NAN, INFINITY}) {
    EXPECT_THAT(judge(value, false),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("at [1, 3] is no probability")));
  }
  EXPECT_THAT(judge(0, true), StatusIs(absl::StatusCode::kInvalidArgument,
                                       HasSubstr("no token of row 0")));
}

TEST_F(SamplingEvaluatorTest, NeedsOneTokenForEachRow) {
  sizes_.outputs[0].dims = {kRows, 2};
  EXPECT_THAT(SamplingEvaluator::New(workload_, sizes_, settings_, 1)
                  .status()
                  .message(),
              HasSubstr("4 tokens for 2 rows"));
}

}  // namespace
}  // namespace assay
