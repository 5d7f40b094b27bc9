#include "worker/evaluate/case_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/status_testing.h"
#include "worker/device/cpu_device.h"

namespace assay {
namespace {

using testing::HasSubstr;

ResolvedTensor Tensor(const std::string& name, std::vector<int64_t> dims) {
  ResolvedTensor tensor;
  tensor.name = name;
  tensor.dtype = v1::DTYPE_FLOAT32;
  tensor.dims = std::move(dims);
  tensor.bytes = 4;
  for (const int64_t dim : tensor.dims) tensor.bytes *= dim;
  return tensor;
}

// x random [100], w random [7], factor scalar -> y [100], z [].
class CaseMemoryTest : public testing::Test {
 protected:
  CaseMemoryTest() {
    sizes_.inputs = {Tensor("x", {100}), Tensor("w", {7}),
                     Tensor("factor", {})};
    sizes_.inputs[2].is_scalar = true;
    sizes_.outputs = {Tensor("y", {100}), Tensor("z", {})};
    Add("x")->mutable_random();
    Add("w")->mutable_safetensors();
    Add("factor")->mutable_scalar()->set_float_value(0.5);
  }

  v1::WorkloadInput* Add(const std::string& name) {
    v1::WorkloadInput* input = workload_.add_inputs();
    input->set_name(name);
    return input;
  }

  ResolvedCase sizes_;
  v1::Workload workload_;
  CpuDevice device_{CpuDeviceOptions{}};
};

TEST_F(CaseMemoryTest, RandomInputsGetTwoDrawsAndSmallOutputsAllSlots) {
  ASSERT_OK_AND_ASSIGN(const CasePlan plan,
                       PlanCase(sizes_, workload_, 50, 1 << 30));
  EXPECT_EQ(plan.draws, 2);
  EXPECT_EQ(plan.slots, 50);
}

TEST_F(CaseMemoryTest, SlotsStayFewEnoughForOneMessage) {
  ASSERT_OK_AND_ASSIGN(const CasePlan plan,
                       PlanCase(sizes_, workload_, 100'000, 1 << 30));
  EXPECT_EQ(plan.slots, 256);
}

TEST_F(CaseMemoryTest, IntegerGivenForAFloatScalarIsPassedAsAFloat) {
  workload_.mutable_inputs(2)->mutable_scalar()->set_int_value(3);
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {1, 1, 0}));
  const worker::Value& factor = memory.solution_bind().draws(0).values(2);
  ASSERT_EQ(factor.value_case(), worker::Value::kFloatValue);
  EXPECT_EQ(factor.float_value(), 3);
}

TEST_F(CaseMemoryTest, FixedInputsNeedOneDraw) {
  workload_.mutable_inputs(0)->mutable_safetensors();
  ASSERT_OK_AND_ASSIGN(const CasePlan plan,
                       PlanCase(sizes_, workload_, 50, 1 << 30));
  EXPECT_EQ(plan.draws, 1);
}

TEST_F(CaseMemoryTest, ShortMemoryReducesSlotsThenDraws) {
  ASSERT_OK_AND_ASSIGN(const CasePlan roomy,
                       PlanCase(sizes_, workload_, 1, 1 << 30));
  EXPECT_EQ(roomy.draws, 2);
  ASSERT_OK_AND_ASSIGN(const CasePlan exact,
                       PlanCase(sizes_, workload_, 50, roomy.bytes));
  EXPECT_EQ(exact.draws, 2);
  EXPECT_EQ(exact.slots, 1);
  ASSERT_OK_AND_ASSIGN(const CasePlan tight,
                       PlanCase(sizes_, workload_, 50, roomy.bytes - 1));
  EXPECT_EQ(tight.draws, 1);
  EXPECT_EQ(tight.slots, 1);
  EXPECT_LE(tight.bytes, roomy.bytes - 1);
}

TEST_F(CaseMemoryTest, TooLittleMemorySaysHowMuchIsNeeded) {
  EXPECT_THAT(PlanCase(sizes_, workload_, 50, 1000),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("the device offers 1000")));
}

TEST_F(CaseMemoryTest, RegionsAreAlignedAndDoNotOverlap) {
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {2, 3, 0}));
  std::vector<Region> regions;
  for (int output = 0; output < 2; ++output) {
    for (int slot = 0; slot < 3; ++slot) {
      regions.push_back(memory.Output(slot, output));
    }
  }
  for (const Region& region : regions) {
    EXPECT_EQ(region.offset % kTensorAlignment, 0);
  }
  EXPECT_EQ(memory.guards().size(), 3u * 3);
  regions.insert(regions.end(), memory.guards().begin(), memory.guards().end());
  std::set<int64_t> taken;
  for (const Region& region : regions) {
    EXPECT_LE(region.offset + region.bytes, region.arena->size_bytes());
    for (int64_t i = 0; i < region.bytes; ++i) {
      EXPECT_TRUE(taken.insert(region.offset + i).second);
    }
  }
}

TEST_F(CaseMemoryTest, EveryOutputHasAGuardOnBothSides) {
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {1, 2, 0}));
  std::set<int64_t> begins;
  std::set<int64_t> ends;
  for (const Region& guard : memory.guards()) {
    begins.insert(guard.offset);
    ends.insert(guard.offset + guard.bytes);
  }
  for (int slot = 0; slot < 2; ++slot) {
    for (int output = 0; output < 2; ++output) {
      const Region& region = memory.Output(slot, output);
      EXPECT_TRUE(ends.count(region.offset));
      // Without a gap: an overrun by one byte is seen.
      EXPECT_TRUE(begins.count(region.offset + region.bytes));
    }
  }
}

TEST_F(CaseMemoryTest, DrawsDifferInRandomInputsOnly) {
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {2, 1, 0}));
  EXPECT_NE(memory.Input(0, 0).offset, memory.Input(1, 0).offset);
  EXPECT_EQ(memory.Input(0, 1).offset, memory.Input(1, 1).offset);
}

TEST_F(CaseMemoryTest, TheSolutionNeverGetsTheExpectedOutputs) {
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {2, 3, 0}));
  EXPECT_NE(memory.Expected(0, 0).arena, memory.Output(0, 0).arena);
  const worker::Bind& bind = memory.solution_bind();
  ASSERT_EQ(bind.arenas_size(), 2);
  EXPECT_FALSE(bind.arenas(0).writable());
  EXPECT_TRUE(bind.arenas(1).writable());
  EXPECT_EQ(bind.arenas(1).size_bytes(),
            memory.Output(0, 0).arena->size_bytes());
  EXPECT_EQ(bind.draws_size(), 2);
  EXPECT_EQ(bind.slots_size(), 3);
  EXPECT_EQ(bind.draws(0).values(2).float_value(), 0.5);
  EXPECT_EQ(bind.slots(1).outputs(0).offset(), memory.Output(1, 0).offset);
  EXPECT_EQ(memory.baseline_bind().slots_size(), 2);
  EXPECT_EQ(memory.baseline_bind().slots(1).outputs(0).offset(),
            memory.Expected(1, 0).offset);
}

TEST_F(CaseMemoryTest, OnlyScalarsStillGiveMemoryToMap) {
  sizes_.inputs = {sizes_.inputs[2]};
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {1, 1, 0}));
  EXPECT_GT(memory.AllInputs().bytes, 0);
}

}  // namespace
}  // namespace assay
