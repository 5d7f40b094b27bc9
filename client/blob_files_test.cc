#include "client/blob_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "base/file.h"
#include "base/sha256.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class BlobFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir dir, TempDir::Create("blob-files-"));
    dir_ = std::make_unique<TempDir>(std::move(dir));
    root_ = dir_->path() + "/set";
    ASSERT_OK(CreateDirectories(root_ + "/blob"));
    ASSERT_OK(WriteFileAtomically(root_ + "/blob/a", "aaa"));
    ASSERT_OK(WriteFileAtomically(dir_->path() + "/outside", "secret"));
  }

  std::unique_ptr<TempDir> dir_;
  std::string root_;
};

TEST_F(BlobFilesTest, DescribesAFile) {
  BlobFiles files(root_);
  ASSERT_OK_AND_ASSIGN(const BlobFiles::Blob blob, files.Describe("blob/a"));
  EXPECT_EQ(blob.sha256, Sha256Hex("aaa"));
  EXPECT_EQ(blob.size_bytes, 3);
}

TEST_F(BlobFilesTest, LinkInsideTheRootIsFollowed) {
  ASSERT_EQ(symlink("a", (root_ + "/blob/link").c_str()), 0);
  BlobFiles files(root_);
  ASSERT_OK_AND_ASSIGN(const BlobFiles::Blob blob, files.Describe("blob/link"));
  EXPECT_EQ(blob.sha256, Sha256Hex("aaa"));
}

TEST_F(BlobFilesTest, NothingOutsideTheRootIsRead) {
  ASSERT_EQ(symlink("../../outside", (root_ + "/blob/link").c_str()), 0);
  BlobFiles files(root_);
  for (const std::string& path :
       {std::string("blob/link"), std::string("../outside"),
        dir_->path() + "/outside"}) {
    EXPECT_THAT(
        files.Describe(path),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 AllOf(HasSubstr(path), HasSubstr("outside the trace set"))));
  }
}

TEST_F(BlobFilesTest, MissingFileIsNamed) {
  BlobFiles files(root_);
  EXPECT_THAT(files.Describe("blob/b"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("file blob/b")));
}

TEST_F(BlobFilesTest, FolderIsNoFile) {
  BlobFiles files(root_);
  EXPECT_THAT(
      files.Describe("blob"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is not a file")));
}

TEST_F(BlobFilesTest, FillsInEverySafetensorsInput) {
  v1::Workload workload;
  workload.add_inputs()->mutable_random();
  workload.add_inputs()->mutable_safetensors()->set_path("blob/a");
  BlobFiles files(root_);
  ASSERT_OK(files.FillIn(workload));
  EXPECT_TRUE(workload.inputs(0).has_random());
  EXPECT_EQ(workload.inputs(1).safetensors().sha256(), Sha256Hex("aaa"));
  EXPECT_EQ(workload.inputs(1).safetensors().size_bytes(), 3);
}

TEST_F(BlobFilesTest, FillInNamesTheInput) {
  v1::Workload workload;
  workload.add_inputs()->set_name("table");
  workload.mutable_inputs(0)->mutable_safetensors()->set_path("blob/b");
  BlobFiles files(root_);
  EXPECT_THAT(files.FillIn(workload), StatusIs(absl::StatusCode::kNotFound,
                                               HasSubstr("input \"table\"")));
}

}  // namespace
}  // namespace assay
