#include "schema/safetensors.h"

#include <sys/stat.h>

#include <cstring>
#include <memory>
#include <string>

#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string WithLength(uint64_t length, const std::string& rest) {
  std::string file(8, '\0');
  std::memcpy(&file[0], &length, 8);
  return file + rest;
}

std::string File(const std::string& header, const std::string& data) {
  return WithLength(header.size(), header + data);
}

class SafetensorsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir temp, TempDir::Create("assay-tensors-"));
    temp_ = std::make_unique<TempDir>(std::move(temp));
  }

  std::string path() const { return temp_->path() + "/t.safetensors"; }

  absl::StatusOr<std::unique_ptr<SafetensorsFile>> Open(
      const std::string& content) {
    const absl::Status status = WriteFileAtomically(path(), content);
    if (!status.ok()) return status;
    return SafetensorsFile::Open(path());
  }

  std::unique_ptr<TempDir> temp_;
};

TEST_F(SafetensorsTest, FindsTensors) {
  ASSERT_OK_AND_ASSIGN(const auto file,
                       Open(File(R"({"__metadata__": {"format": "pt"},
                    "x": {"dtype": "BF16", "shape": [2, 1],
                          "data_offsets": [1, 5]},
                    "flag": {"dtype": "BOOL", "shape": [],
                             "data_offsets": [0, 1]},
                    "none": {"dtype": "I64", "shape": [0, 3],
                             "data_offsets": [5, 5]}}   )",
                                 "\x01"
                                 "abcd")));
  EXPECT_THAT(file->keys(), ElementsAre("x", "flag", "none"));
  ASSERT_OK_AND_ASSIGN(const SafetensorsFile::Tensor x, file->Find("x"));
  EXPECT_EQ(x.dtype, v1::DTYPE_BFLOAT16);
  EXPECT_THAT(x.shape, ElementsAre(2, 1));
  EXPECT_EQ(x.data, "abcd");
  ASSERT_OK_AND_ASSIGN(const SafetensorsFile::Tensor flag, file->Find("flag"));
  EXPECT_THAT(flag.shape, IsEmpty());
  EXPECT_EQ(flag.data, "\x01");
  ASSERT_OK_AND_ASSIGN(const SafetensorsFile::Tensor none, file->Find("none"));
  EXPECT_THAT(none.shape, ElementsAre(0, 3));
  EXPECT_EQ(none.data, "");
}

TEST_F(SafetensorsTest, KnowsTheDTypesOfTheFormat) {
  const struct {
    const char* name;
    int bytes;
    v1::DType dtype;
  } kCases[] = {
      {"F64", 8, v1::DTYPE_FLOAT64},
      {"F32", 4, v1::DTYPE_FLOAT32},
      {"F16", 2, v1::DTYPE_FLOAT16},
      {"BF16", 2, v1::DTYPE_BFLOAT16},
      {"F8_E4M3", 1, v1::DTYPE_FLOAT8_E4M3FN},
      {"F8_E5M2", 1, v1::DTYPE_FLOAT8_E5M2},
      {"I64", 8, v1::DTYPE_INT64},
      {"I32", 4, v1::DTYPE_INT32},
      {"I16", 2, v1::DTYPE_INT16},
      {"I8", 1, v1::DTYPE_INT8},
      {"U8", 1, v1::DTYPE_UINT8},
      {"BOOL", 1, v1::DTYPE_BOOL},
  };
  for (const auto& c : kCases) {
    const std::string size = std::to_string(c.bytes);
    ASSERT_OK_AND_ASSIGN(
        const auto file,
        Open(File(std::string(R"({"x": {"dtype": ")") + c.name +
                      R"(", "shape": [1], "data_offsets": [0, )" + size + "]}}",
                  std::string(static_cast<size_t>(c.bytes), 'd'))));
    ASSERT_OK_AND_ASSIGN(const SafetensorsFile::Tensor x, file->Find("x"));
    EXPECT_EQ(x.dtype, c.dtype) << c.name;
  }
}

TEST_F(SafetensorsTest, PackedPairsCountOnceAsInTorch) {
  ASSERT_OK_AND_ASSIGN(const auto file,
                       Open(File(R"({"x": {"dtype": "F4", "shape": [3, 4],
                          "data_offsets": [0, 6]}})",
                                 "abcdef")));
  ASSERT_OK_AND_ASSIGN(const SafetensorsFile::Tensor x, file->Find("x"));
  EXPECT_EQ(x.dtype, v1::DTYPE_FLOAT4_E2M1FN_X2);
  EXPECT_THAT(x.shape, ElementsAre(3, 2));
}

TEST_F(SafetensorsTest, AFileWithoutTensors) {
  ASSERT_OK_AND_ASSIGN(const auto file, Open(File("{}", "")));
  EXPECT_THAT(file->keys(), IsEmpty());
}

TEST_F(SafetensorsTest, AMissingKeyNamesTheOthers) {
  ASSERT_OK_AND_ASSIGN(const auto file,
                       Open(File(R"({"x": {"dtype": "I8", "shape": [1],
                          "data_offsets": [0, 1]}})",
                                 "a")));
  EXPECT_THAT(file->Find("y"),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("has no tensor \"y\", use one of: x")));
}

TEST_F(SafetensorsTest, AnUnknownDTypeMattersOnlyToWhoWantsIt) {
  ASSERT_OK_AND_ASSIGN(const auto file,
                       Open(File(R"({"x": {"dtype": "Q3", "shape": [9],
                          "data_offsets": [0, 4]},
                    "u": {"dtype": "U16", "shape": [1],
                          "data_offsets": [4, 6]}})",
                                 "abcdef")));
  EXPECT_THAT(file->Find("x"), StatusIs(absl::StatusCode::kInvalidArgument,
                                        HasSubstr("has the dtype \"Q3\"")));
  EXPECT_FALSE(file->Find("u").ok());
}

TEST_F(SafetensorsTest, HostileFilesAreRefused) {
  const auto tensor = [](const std::string& members, const std::string& data) {
    return File("{\"x\": {" + members + "}}", data);
  };
  const struct {
    std::string content;
    const char* fault;
  } kCases[] = {
      {"", "has 0 bytes, too few"},
      {"1234567", "has 7 bytes, too few"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\n",
       "is a Git LFS pointer"},
      {WithLength(100000001, ""), "exceeds the limit"},
      {WithLength(UINT64_MAX, "{}"), "exceeds the limit"},
      {WithLength(UINT64_MAX - 7, "{}"), "exceeds the limit"},
      {WithLength(3, "{}"), "truncated"},
      {File("", ""), "header: line 1, column 1"},
      {File("[]", ""), "header must be an object, not an array"},
      {File("{\"x\": ", ""), "header: line 1"},
      {File("\xff\xff", ""), "header: line 1"},
      {File(R"({"__metadata__": {"a": 1}})", ""), "object of strings"},
      {File(R"({"__metadata__": "a"})", ""), "object of strings"},
      {File(R"({"x": 1})", ""), "must be an object, not 1"},
      {File(R"({"x": {"dtype": "I8", "shape": [1], "data_offsets": [0, 1]},
                "x": {"dtype": "I8", "shape": [1], "data_offsets": [0, 1]}})",
            "a"),
       "member \"x\" is given twice"},
      {tensor(R"("shape": [1], "data_offsets": [0, 1])", "a"),
       "member \"dtype\" is missing"},
      {tensor(R"("dtype": "I8", "data_offsets": [0, 1])", "a"),
       "member \"shape\" is missing"},
      {tensor(R"("dtype": "I8", "shape": [1])", "a"),
       "member \"data_offsets\" is missing"},
      {tensor(R"("dtype": "I8", "shape": [-1], "data_offsets": [0, 1])", "a"),
       "$.shape[0]: must be an integer of at least 0, not -1"},
      {tensor(R"("dtype": "I8", "shape": [1.0], "data_offsets": [0, 1])", "a"),
       "$.shape[0]: must be an integer of at least 0, not 1.0"},
      {tensor(R"("dtype": "I8", "shape": [1], "data_offsets": [0])", "a"),
       "must be [begin, end]"},
      {tensor(R"("dtype": "I8", "shape": [1], "data_offsets": [0, 1, 2])", "a"),
       "must be [begin, end]"},
      {tensor(R"("dtype": "I8", "shape": [1], "data_offsets": [1, 0])", "a"),
       "not within the data"},
      {tensor(R"("dtype": "I8", "shape": [2], "data_offsets": [0, 2])", "a"),
       "not within the data of 1 bytes"},
      {tensor(R"("dtype": "I8", "shape": [1],
                 "data_offsets": [9223372036854775806, 9223372036854775807])",
              "a"),
       "not within the data"},
      {tensor(R"("dtype": "I8", "shape": [1],
                 "data_offsets": [0, 18446744073709551615])",
              "a"),
       "must be an integer of at least 0"},
      {tensor(R"("dtype": "F32", "shape": [1], "data_offsets": [0, 1])", "a"),
       "shape [1] of F32 does not take the 1 bytes"},
      {tensor(R"("dtype": "I8", "shape": [], "data_offsets": [0, 0])", ""),
       "does not take the 0 bytes"},
      {tensor(R"("dtype": "F64", "data_offsets": [0, 0],
                 "shape": [4611686018427387904, 4611686018427387904])",
              ""),
       "does not take the 0 bytes"},
      {tensor(R"("dtype": "F4", "shape": [1], "data_offsets": [0, 1])", "a"),
       "does not take the 1 bytes"},
      {tensor(R"("dtype": "F4", "shape": [2, 1], "data_offsets": [0, 1])", "a"),
       "must be even"},
      {tensor(R"("dtype": "I8", "shape": [1], "data_offsets": [1, 2])", "ab"),
       "leave a hole at offset 0"},
      {tensor(R"("dtype": "I8", "shape": [1], "data_offsets": [0, 1])", "ab"),
       "cover 1 bytes of the data of 2"},
      {File(R"({"x": {"dtype": "I8", "shape": [2], "data_offsets": [0, 2]},
                "y": {"dtype": "I8", "shape": [2], "data_offsets": [1, 3]}})",
            "abc"),
       "overlap or leave a hole at offset 1"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(Open(c.content), StatusIs(absl::StatusCode::kInvalidArgument,
                                          HasSubstr(c.fault)))
        << c.content;
  }
}

TEST_F(SafetensorsTest, WhatIsNoFileIsRefused) {
  EXPECT_THAT(SafetensorsFile::Open(path()),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(path())));
  EXPECT_THAT(
      SafetensorsFile::Open(temp_->path()),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is not a file")));
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  EXPECT_THAT(
      SafetensorsFile::Open(path()),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is not a file")));
}

}  // namespace
}  // namespace assay
