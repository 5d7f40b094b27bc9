#include "worker/evaluate/case_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "worker/device/cpu_device.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Not;
using testing::Pointwise;

constexpr measure::Key kKey = {{1, 2, 3, 4}};

class FakeBlobs final : public BlobSource {
 public:
  absl::StatusOr<std::string> Fetch(const v1::SafetensorsInput&) override {
    return answer;
  }
  absl::StatusOr<std::string> answer = absl::NotFoundError("no such blob");
};

// A file with one tensor "k" of float32 [3].
std::string OneTensorFile() {
  const std::string header =
      R"({"k":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}})";
  const uint64_t size = header.size();
  const float values[] = {7, 8, 9};
  std::string file(reinterpret_cast<const char*>(&size), 8);
  file.append(header);
  file.append(reinterpret_cast<const char*>(values), 12);
  return file;
}

// One input `x` of shape `dims`.
class CaseInputsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir folder, TempDir::Create("inputs-"));
    folder_.emplace(std::move(folder));
  }

  void Use(const std::string& name, std::vector<int64_t> dims) {
    ResolvedTensor x;
    x.name = name;
    x.dtype = v1::DTYPE_FLOAT32;
    x.dims = std::move(dims);
    x.bytes = std::accumulate(x.dims.begin(), x.dims.end(), int64_t{4},
                              std::multiplies<>());
    sizes_.inputs = {x};
    workload_.add_inputs()->set_name(name);
  }

  // x is stored, and cannot be varied, because r is random.
  void UseBesideRandom(std::vector<int64_t> dims) {
    Use("x", std::move(dims));
    sizes_.inputs.push_back(sizes_.inputs[0]);
    sizes_.inputs[1].name = "r";
    workload_.add_inputs()->set_name("r");
    workload_.mutable_inputs(1)->mutable_random();
  }

  void StoreFile() {
    input().mutable_safetensors()->set_tensor_key("k");
    blobs_.answer = folder_->path() + "/file";
    ASSERT_OK(WriteFileAtomically(*blobs_.answer, OneTensorFile()));
  }

  void Allocate() {
    ASSERT_OK_AND_ASSIGN(
        CaseMemory memory,
        CaseMemory::Allocate(device_, sizes_, workload_, {2, 1, 0}));
    memory_.emplace(std::move(memory));
  }

  std::vector<float> ValuesOf(const Region& region) {
    absl::StatusOr<UniqueFd> fd = region.arena->Share();
    absl::StatusOr<Mapping> mapping =
        Mapping::Map(fd->get(), region.arena->size_bytes(), false);
    std::vector<float> values(region.bytes / 4);
    std::memcpy(values.data(), mapping->data() + region.offset, region.bytes);
    return values;
  }

  v1::WorkloadInput& input() { return *workload_.mutable_inputs(0); }

  absl::Status UploadFixed() {
    return UploadFixedInputs(device_, sizes_, workload_, blobs_, *memory_);
  }

  absl::Status Draw(int number) {
    return DrawRandomInputs(device_, definition_, sizes_, workload_, kKey,
                            number, *memory_);
  }

  std::optional<TempDir> folder_;
  CpuDevice device_{CpuDeviceOptions{}};
  FakeBlobs blobs_;
  v1::Definition definition_;
  ResolvedCase sizes_;
  v1::Workload workload_;
  std::optional<CaseMemory> memory_;
};

TEST_F(CaseInputsTest, SafetensorsAreUploaded) {
  UseBesideRandom({3});
  StoreFile();
  Allocate();
  ASSERT_OK(UploadFixed());
  EXPECT_THAT(ValuesOf(memory_->Input(0)), ElementsAre(7, 8, 9));
  Region copy = memory_->GivenCopy();
  copy.bytes = 12;
  EXPECT_THAT(ValuesOf(copy), ElementsAre(7, 8, 9));
}

TEST_F(CaseInputsTest, SafetensorsOfAnotherShapeAreRefused) {
  Use("x", {4});
  StoreFile();
  Allocate();
  EXPECT_THAT(
      UploadFixed(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("input \"x\": tensor \"k\" is float32[3] and the "
                         "definition wants float32[4]")));
}

TEST_F(CaseInputsTest, MissingFileIsPassedOn) {
  Use("x", {3});
  input().mutable_safetensors();
  Allocate();
  EXPECT_THAT(UploadFixed(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no such blob")));
}

TEST_F(CaseInputsTest, ZeroDimensionalTensorTakesAScalar) {
  Use("x", {});
  input().mutable_scalar()->set_int_value(3);
  Allocate();
  ASSERT_OK(UploadFixed());
  EXPECT_THAT(ValuesOf(memory_->Input(0)), ElementsAre(3));
}

TEST_F(CaseInputsTest, DrawsDifferAndRepeatByNumber) {
  Use("x", {64});
  input().mutable_random();
  Allocate();
  ASSERT_OK(Draw(0));
  const std::vector<float> first = ValuesOf(memory_->Input(0));
  ASSERT_OK(Draw(1));
  EXPECT_NE(first, ValuesOf(memory_->Input(0)));
  ASSERT_OK(Draw(0));
  EXPECT_EQ(first, ValuesOf(memory_->Input(0)));
}

TEST_F(CaseInputsTest, ADrawIsInNoPlaceUntilItIsDelivered) {
  Use("x", {64});
  input().mutable_random();
  Allocate();
  ASSERT_OK(Draw(0));
  const std::vector<float> zeros(64, 0);
  EXPECT_EQ(ValuesOf(memory_->Place(0)), zeros);
  EXPECT_EQ(ValuesOf(memory_->Place(1)), zeros);
  ASSERT_OK(DeliverInputs(device_, *memory_, 1));
  EXPECT_EQ(ValuesOf(memory_->Place(0)), zeros);
  EXPECT_EQ(ValuesOf(memory_->Place(1)), ValuesOf(memory_->Input(0)));
  EXPECT_NE(ValuesOf(memory_->Place(1)), zeros);
}

// Where nothing is random.
TEST_F(CaseInputsTest, StoredFloatsAreStagedAsTheyAreOrVaried) {
  Use("x", {3});
  StoreFile();
  Allocate();
  ASSERT_OK(UploadFixed());
  ASSERT_OK(StageUnvaried(device_, *memory_));
  EXPECT_THAT(ValuesOf(memory_->Input(0)), ElementsAre(7, 8, 9));
  ASSERT_OK(StageVaried(device_, sizes_, kKey, 1, *memory_));
  const std::vector<float> varied = ValuesOf(memory_->Input(0));
  EXPECT_THAT(varied, Pointwise(FloatNear(9.0F / 8), {7.0F, 8.0F, 9.0F}));
  EXPECT_THAT(varied, Not(ElementsAre(7, 8, 9)));
  ASSERT_OK(StageVaried(device_, sizes_, kKey, 2, *memory_));
  EXPECT_NE(ValuesOf(memory_->Input(0)), varied);
  ASSERT_OK(DeliverInputs(device_, *memory_, 1));
  EXPECT_EQ(ValuesOf(memory_->Place(1)), ValuesOf(memory_->Staged()));
  ASSERT_OK(StageUnvaried(device_, *memory_));
  EXPECT_THAT(ValuesOf(memory_->Input(0)), ElementsAre(7, 8, 9));
}

TEST_F(CaseInputsTest, ProbabilitiesOfSamplingSumToOne) {
  definition_.set_op_type("sampling");
  Use("probs", {2, 5});
  input().mutable_random();
  Allocate();
  ASSERT_OK(Draw(0));
  const std::vector<float> values = ValuesOf(memory_->Input(0));
  EXPECT_NEAR(std::accumulate(values.begin(), values.begin() + 5, 0.0f), 1,
              1e-5);
  EXPECT_NEAR(std::accumulate(values.begin() + 5, values.end(), 0.0f), 1, 1e-5);
}

}  // namespace
}  // namespace assay
