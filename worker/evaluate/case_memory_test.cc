#include "worker/evaluate/case_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>

#include "base/status_testing.h"
#include "worker/device/cpu_device.h"

namespace assay {
namespace {

bool Contains(const Region& whole, const Region& part) {
  return part.arena == whole.arena && part.offset >= whole.offset &&
         part.offset + part.bytes <= whole.offset + whole.bytes;
}

// Whether the descriptor is of the arena's memory.
bool IsMemoryOf(const UniqueFd& fd, const Arena& arena) {
  struct stat got;
  struct stat want;
  return fstat(fd.get(), &got) == 0 &&
         fstat(arena.Share()->get(), &want) == 0 && got.st_ino == want.st_ino &&
         got.st_dev == want.st_dev;
}

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

TEST_F(CaseMemoryTest, IntegerGivenForAFloatScalarIsPassedAsAFloat) {
  workload_.mutable_inputs(2)->mutable_scalar()->set_int_value(3);
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {1, 1, 0}));
  const worker::Value& factor = memory.solution_bind().draws(0).values(2);
  ASSERT_EQ(factor.value_case(), worker::Value::kFloatValue);
  EXPECT_EQ(factor.float_value(), 3);
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
  const std::vector<Region> guards = memory.Guards();
  EXPECT_EQ(guards.size(), 3u * 3);
  regions.insert(regions.end(), guards.begin(), guards.end());
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
  for (const Region& guard : memory.Guards()) {
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

TEST_F(CaseMemoryTest, RandomInputsAreStagedApartFromGivenOnes) {
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {2, 1, 0}));
  EXPECT_TRUE(memory.has_drawn());
  EXPECT_TRUE(Contains(memory.Staged(), memory.Input(0)));
  EXPECT_FALSE(Contains(memory.Staged(), memory.Input(1)));
  EXPECT_TRUE(Contains(memory.Given(), memory.Input(1)));
  EXPECT_EQ(memory.Input(2).arena, nullptr);
}

TEST_F(CaseMemoryTest, StoredFloatsAreStagedWhereNothingIsRandom) {
  workload_.mutable_inputs(0)->mutable_safetensors();
  sizes_.inputs[1].dtype = v1::DTYPE_INT32;
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {2, 1, 0}));
  EXPECT_TRUE(memory.is_varied());
  EXPECT_TRUE(memory.has_drawn());
  EXPECT_TRUE(Contains(memory.Staged(), memory.Input(0)));
  EXPECT_TRUE(Contains(memory.Unvaried(), memory.Stored(0)));
  EXPECT_FALSE(Contains(memory.Staged(), memory.Stored(0)));
  EXPECT_EQ(memory.Unvaried().bytes, memory.Staged().bytes);
  EXPECT_LE(memory.Unvaried().offset + memory.Unvaried().bytes,
            memory.Unvaried().arena->size_bytes());
  EXPECT_TRUE(Contains(memory.Given(), memory.Stored(1)));
  EXPECT_EQ(memory.Stored(1).offset, memory.Input(1).offset);
  ASSERT_OK_AND_ASSIGN(const std::vector<UniqueFd> fds,
                       memory.ShareForSolution());
  for (const UniqueFd& fd : fds) {
    EXPECT_FALSE(IsMemoryOf(fd, *memory.Unvaried().arena));
  }
}

TEST_F(CaseMemoryTest, TheSolutionSeesCopiesAndNeverWhatIsExpected) {
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {2, 3, 0}));
  const worker::Bind& bind = memory.solution_bind();
  ASSERT_EQ(bind.arenas_size(), 2);
  EXPECT_FALSE(bind.arenas(0).writable());
  EXPECT_TRUE(bind.arenas(1).writable());
  ASSERT_OK_AND_ASSIGN(const std::vector<UniqueFd> fds,
                       memory.ShareForSolution());
  ASSERT_EQ(fds.size(), 2u);
  EXPECT_TRUE(IsMemoryOf(fds[0], *memory.Place(0).arena));
  EXPECT_TRUE(IsMemoryOf(fds[1], *memory.Output(0, 0).arena));
  for (const UniqueFd& fd : fds) {
    EXPECT_FALSE(IsMemoryOf(fd, *memory.Staged().arena));
    EXPECT_FALSE(IsMemoryOf(fd, *memory.Expected(0).arena));
  }
}

TEST_F(CaseMemoryTest, EveryDrawOfTheSolutionIsAPlace) {
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {2, 3, 0}));
  const worker::Bind& bind = memory.solution_bind();
  ASSERT_EQ(bind.draws_size(), 2);
  for (int place = 0; place < 2; ++place) {
    const worker::InputSet& draw = bind.draws(place);
    EXPECT_EQ(draw.values(0).tensor().offset(), memory.Place(place).offset);
    EXPECT_EQ(draw.values(1).tensor().offset(), memory.GivenCopy().offset);
    EXPECT_EQ(draw.values(2).float_value(), 0.5);
  }
  ASSERT_EQ(bind.slots_size(), 3);
  EXPECT_EQ(bind.slots(1).outputs(0).offset(), memory.Output(1, 0).offset);
}

TEST_F(CaseMemoryTest, TheBaselineReadsOriginalsAndAPlace) {
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {2, 3, 0}));
  const worker::Bind& bind = memory.baseline_bind();
  ASSERT_OK_AND_ASSIGN(const std::vector<UniqueFd> fds,
                       memory.ShareForBaseline());
  ASSERT_EQ(bind.draws_size(), 2);
  const auto expect = [&](const worker::TensorRef& ref, const Region& region) {
    EXPECT_TRUE(IsMemoryOf(fds[ref.arena()], *region.arena));
    EXPECT_EQ(ref.offset(), region.offset);
  };
  const worker::InputSet& original = bind.draws(CaseMemory::kOriginalDraw);
  expect(original.values(0).tensor(), memory.Input(0));
  expect(original.values(1).tensor(), memory.Input(1));
  const worker::InputSet& placed = bind.draws(CaseMemory::kPlacedDraw);
  expect(placed.values(0).tensor(), memory.Place(0));
  expect(placed.values(1).tensor(), memory.GivenCopy());
  ASSERT_EQ(bind.slots_size(), 1);
  expect(bind.slots(CaseMemory::kExpectedSlot).outputs(1), memory.Expected(1));
}

TEST_F(CaseMemoryTest, EveryDrawThatIsStagedHasWhatIsExpectedOfIt) {
  CasePlan plan;
  plan.draws = 3;
  ASSERT_OK_AND_ASSIGN(const CaseMemory memory,
                       CaseMemory::Allocate(device_, sizes_, workload_, plan));
  const worker::Bind& bind = memory.baseline_bind();
  ASSERT_EQ(bind.draws_size(), 4);
  ASSERT_EQ(bind.slots_size(), 3);
  std::set<int64_t> staged;
  std::set<int64_t> expected;
  for (int draw = 0; draw < 3; ++draw) {
    const worker::InputSet& inputs = bind.draws(CaseMemory::BaselineDraw(draw));
    EXPECT_EQ(inputs.values(0).tensor().offset(), memory.Staged(draw).offset);
    EXPECT_EQ(inputs.values(1).tensor().offset(), memory.Given().offset);
    const worker::OutputSlot& slot =
        bind.slots(CaseMemory::kExpectedSlot + draw);
    EXPECT_EQ(slot.outputs(1).offset(), memory.Expected(1, draw).offset);
    staged.insert(memory.Staged(draw).offset);
    expected.insert(memory.Expected(1, draw).offset);
  }
  EXPECT_EQ(staged.size(), 3u);
  EXPECT_EQ(expected.size(), 3u);
}

TEST_F(CaseMemoryTest, OnlyScalarsStillGiveMemoryToMap) {
  sizes_.inputs = {sizes_.inputs[2]};
  ASSERT_OK_AND_ASSIGN(
      const CaseMemory memory,
      CaseMemory::Allocate(device_, sizes_, workload_, {1, 1, 0}));
  EXPECT_FALSE(memory.has_drawn());
  EXPECT_GT(memory.Staged().bytes, 0);
  EXPECT_GT(memory.GivenCopy().bytes, 0);
}

}  // namespace
}  // namespace assay
