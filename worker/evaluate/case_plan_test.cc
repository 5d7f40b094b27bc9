#include "worker/evaluate/case_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;

constexpr int64_t kMiB = int64_t{1} << 20;

// x of `input_bytes`, random -> y of `output_bytes`.
class CasePlanTest : public testing::Test {
 protected:
  CasePlanTest() { workload_.add_inputs()->set_name("x"); }

  absl::StatusOr<CasePlan> Plan(int64_t input_bytes, int64_t output_bytes,
                                int64_t budget_bytes) {
    return PlanCase(Case(input_bytes, output_bytes), workload_, budget_bytes);
  }

  ResolvedCase Case(int64_t input_bytes, int64_t output_bytes) {
    ResolvedCase sizes;
    sizes.inputs = {Tensor("x", input_bytes)};
    sizes.outputs = {Tensor("y", output_bytes)};
    return sizes;
  }

  ResolvedTensor Tensor(const std::string& name, int64_t bytes) {
    ResolvedTensor tensor;
    tensor.name = name;
    tensor.dtype = dtype_;
    tensor.dims = {bytes};
    tensor.bytes = bytes;
    return tensor;
  }

  // Of one byte.
  v1::DType dtype_ = v1::DTYPE_UINT8;
  v1::Workload workload_;
};

TEST_F(CasePlanTest, SmallTensorsChangeTheirAddresses) {
  workload_.mutable_inputs(0)->mutable_random();
  ASSERT_OK_AND_ASSIGN(const CasePlan plan, Plan(1000, 1000, 1000 * kMiB));
  EXPECT_EQ(plan.places, 4);
  EXPECT_EQ(plan.slots, 4);
}

TEST_F(CasePlanTest, StoredValuesThatAreVariedAreKeptBesides) {
  workload_.mutable_inputs(0)->mutable_random();
  ASSERT_OK_AND_ASSIGN(const CasePlan random, Plan(kMiB, kMiB, 1000 * kMiB));
  workload_.mutable_inputs(0)->mutable_safetensors();
  dtype_ = v1::DTYPE_FLOAT8_E5M2;
  ASSERT_OK_AND_ASSIGN(const CasePlan varied, Plan(kMiB, kMiB, 1000 * kMiB));
  EXPECT_EQ(varied.places, random.places);
  EXPECT_EQ(varied.bytes, random.bytes + kMiB);
}

TEST_F(CasePlanTest, LargeTensorsHaveFewerPlaces) {
  workload_.mutable_inputs(0)->mutable_random();
  ASSERT_OK_AND_ASSIGN(const CasePlan plan,
                       Plan(64 * kMiB, 500 * kMiB, 10000 * kMiB));
  EXPECT_EQ(plan.places, 2);
  EXPECT_EQ(plan.slots, 1);
  // Staged, two places; expected, and one slot with its guard bands.
  EXPECT_EQ(plan.bytes, (3 * 64 + 2 * 500) * kMiB + 2 * 256 + 2 * 256);
}

TEST_F(CasePlanTest, GivenInputsHaveOnePlace) {
  workload_.mutable_inputs(0)->mutable_safetensors();
  ASSERT_OK_AND_ASSIGN(const CasePlan plan, Plan(1000, 1000, 1000 * kMiB));
  EXPECT_EQ(plan.places, 1);
}

TEST_F(CasePlanTest, ShortMemoryLeavesOneOfEach) {
  workload_.mutable_inputs(0)->mutable_random();
  ASSERT_OK_AND_ASSIGN(const CasePlan least,
                       Plan(10 * kMiB, 10 * kMiB, 41 * kMiB));
  EXPECT_EQ(least.places, 1);
  EXPECT_EQ(least.slots, 1);
  EXPECT_LE(least.bytes, 41 * kMiB);
  ASSERT_OK_AND_ASSIGN(const CasePlan more,
                       Plan(10 * kMiB, 10 * kMiB, 61 * kMiB));
  EXPECT_EQ(more.places + more.slots, 4);
}

TEST_F(CasePlanTest, TooLittleMemorySaysHowMuchIsNeeded) {
  workload_.mutable_inputs(0)->mutable_random();
  EXPECT_THAT(Plan(10 * kMiB, 10 * kMiB, 1000),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("the device offers 1000")));
}

TEST_F(CasePlanTest, CallsOfABatchShareNothing) {
  workload_.mutable_inputs(0)->mutable_random();
  const auto plan = PlanBatch(Case(1000, 1000), workload_, 50, kMiB);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->draws, 50);
  EXPECT_EQ(plan->places, 50);
  EXPECT_EQ(plan->slots, 50);
}

TEST_F(CasePlanTest, ABatchHasAsManyCallsAsFit) {
  workload_.mutable_inputs(0)->mutable_random();
  // Each: staged, a place; expected, and a slot with its guard bands.
  const auto plan = PlanBatch(Case(kMiB, kMiB), workload_, 50, 21 * kMiB);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->draws, 5);
  EXPECT_LE(plan->bytes, 21 * kMiB);
  EXPECT_FALSE(PlanBatch(Case(kMiB, kMiB), workload_, 50, 7 * kMiB));
}

TEST_F(CasePlanTest, CallsThatAreAllAlikeMakeNoBatch) {
  workload_.mutable_inputs(0)->mutable_safetensors();
  EXPECT_FALSE(PlanBatch(Case(1000, 1000), workload_, 50, kMiB));
}

}  // namespace
}  // namespace assay
