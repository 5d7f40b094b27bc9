#include "base/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir folder, TempDir::Create("file_test-"));
    folder_.emplace(std::move(folder));
  }

  std::string Path(absl::string_view name) const {
    return absl::StrCat(folder_->path(), "/", name);
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder_->path())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  std::optional<TempDir> folder_;
};

TEST_F(FileTest, ReadsWhatWasWritten) {
  const std::string content("one\0two\n", 8);
  ASSERT_OK(WriteFileAtomically(Path("a"), content));
  EXPECT_THAT(ReadFile(Path("a")), IsOkAndHolds(content));
}

TEST_F(FileTest, ReadsAnEmptyFile) {
  ASSERT_OK(WriteFileAtomically(Path("a"), ""));
  EXPECT_THAT(ReadFile(Path("a")), IsOkAndHolds(""));
}

TEST_F(FileTest, ReadsMoreThanOneBuffer) {
  const std::string content(300001, 'x');
  ASSERT_OK(WriteFileAtomically(Path("a"), content));
  EXPECT_THAT(ReadFile(Path("a")), IsOkAndHolds(content));
}

TEST_F(FileTest, AMissingFileIsNotFoundAndNamed) {
  EXPECT_THAT(ReadFile(Path("absent")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("absent")));
}

TEST_F(FileTest, AFileAtTheLimitIsRead) {
  ASSERT_OK(WriteFileAtomically(Path("a"), "12345"));
  EXPECT_THAT(ReadFile(Path("a"), 5), IsOkAndHolds("12345"));
}

TEST_F(FileTest, AFileOverTheLimitIsRefused) {
  ASSERT_OK(WriteFileAtomically(Path("a"), "12345"));
  EXPECT_THAT(
      ReadFile(Path("a"), 4),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("4 bytes")));
}

TEST_F(FileTest, AFolderIsNotAFile) {
  EXPECT_THAT(
      ReadFile(folder_->path()),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is not a file")));
}

TEST_F(FileTest, AFifoWithoutAWriterDoesNotHang) {
  ASSERT_EQ(mkfifo(Path("fifo").c_str(), 0600), 0);
  EXPECT_THAT(
      ReadFile(Path("fifo")),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is not a file")));
}

TEST_F(FileTest, AnOpenFileIsReadFromWhereItStands) {
  const UniqueFd fd(
      open(Path("a").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_OK(WriteAll(fd.get(), "12345", "a"));
  ASSERT_EQ(lseek(fd.get(), 2, SEEK_SET), 2);
  EXPECT_THAT(ReadOpenFile(fd.get(), "a"), IsOkAndHolds("345"));
}

TEST_F(FileTest, WritingToAReadOnlyDescriptorFailsAndNamesIt) {
  ASSERT_OK(WriteFileAtomically(Path("a"), ""));
  const UniqueFd fd(open(Path("a").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_THAT(
      WriteAll(fd.get(), "x", "the log"),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("the log")));
}

TEST_F(FileTest, WritingReplacesTheFileAndLeavesNoOther) {
  ASSERT_OK(WriteFileAtomically(Path("a"), "old and long"));
  ASSERT_OK(WriteFileAtomically(Path("a"), "new"));
  EXPECT_THAT(ReadFile(Path("a")), IsOkAndHolds("new"));
  EXPECT_THAT(Names(), testing::ElementsAre("a"));
}

TEST_F(FileTest, WritingReplacesALinkAndNotItsTarget) {
  ASSERT_OK(WriteFileAtomically(Path("target"), "kept"));
  ASSERT_EQ(symlink(Path("target").c_str(), Path("link").c_str()), 0);
  ASSERT_OK(WriteFileAtomically(Path("link"), "new"));
  EXPECT_THAT(ReadFile(Path("target")), IsOkAndHolds("kept"));
  EXPECT_THAT(ReadFile(Path("link")), IsOkAndHolds("new"));
}

TEST_F(FileTest, WritingIntoAMissingFolderFails) {
  EXPECT_THAT(WriteFileAtomically(Path("absent/a"), "x"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("absent/a")));
}

TEST_F(FileTest, AFailedWriteLeavesNothingBehind) {
  // A folder cannot be replaced by a file.
  ASSERT_OK(CreateDirectories(Path("taken/inside")));
  EXPECT_FALSE(WriteFileAtomically(Path("taken"), "x").ok());
  EXPECT_THAT(Names(), testing::ElementsAre("taken"));
}

TEST_F(FileTest, CreatesFoldersWithTheirParents) {
  ASSERT_OK(CreateDirectories(Path("a/b/c")));
  EXPECT_TRUE(std::filesystem::is_directory(Path("a/b/c")));
}

TEST_F(FileTest, AFolderThatExistsIsFine) {
  EXPECT_OK(CreateDirectories(folder_->path()));
}

TEST_F(FileTest, AFolderInPlaceOfAFileIsRefused) {
  ASSERT_OK(WriteFileAtomically(Path("a"), ""));
  EXPECT_THAT(
      CreateDirectories(Path("a/b")),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("a/b")));
}

TEST(ProgramDirectoryTest, IsWhereTheTestRuns) {
  ASSERT_OK_AND_ASSIGN(const std::string folder, ProgramDirectory());
  EXPECT_TRUE(std::filesystem::is_regular_file(folder + "/file_test"));
}

TEST(TempDirTest, IsRemovedWithAllInIt) {
  std::string path;
  {
    ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("temp_test-"));
    path = folder.path();
    ASSERT_OK(CreateDirectories(path + "/a/b"));
    ASSERT_OK(WriteFileAtomically(path + "/a/b/c", "x"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TempDirTest, RemovalDoesNotFollowLinks) {
  ASSERT_OK_AND_ASSIGN(const TempDir kept, TempDir::Create("temp_test-"));
  ASSERT_OK(WriteFileAtomically(kept.path() + "/a", "x"));
  {
    ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("temp_test-"));
    ASSERT_EQ(symlink(kept.path().c_str(), (folder.path() + "/link").c_str()),
              0);
  }
  EXPECT_THAT(ReadFile(kept.path() + "/a"), IsOkAndHolds("x"));
}

TEST(TempDirTest, IsCreatedInTheFolderNamed) {
  ASSERT_OK_AND_ASSIGN(const TempDir outer, TempDir::Create("temp_test-"));
  ASSERT_OK_AND_ASSIGN(const TempDir inner,
                       TempDir::CreateIn(outer.path(), "in-"));
  EXPECT_THAT(inner.path(), testing::StartsWith(outer.path() + "/in-"));
}

TEST(TempDirTest, AMissingFolderIsNotCreated) {
  EXPECT_THAT(
      TempDir::CreateIn("/absent/folder", "in-"),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("/absent/folder/in-")));
}

TEST(TempDirTest, NoTwoAreTheSame) {
  ASSERT_OK_AND_ASSIGN(const TempDir one, TempDir::Create("temp_test-"));
  ASSERT_OK_AND_ASSIGN(const TempDir two, TempDir::Create("temp_test-"));
  EXPECT_NE(one.path(), two.path());
}

TEST(TempDirTest, IsForItsOwnerOnly) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("temp_test-"));
  struct stat info;
  ASSERT_EQ(stat(folder.path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
}

TEST(TempDirTest, MovingHandsTheFolderOver) {
  ASSERT_OK_AND_ASSIGN(TempDir first, TempDir::Create("temp_test-"));
  const std::string path = first.path();
  {
    const TempDir second = std::move(first);
    EXPECT_EQ(second.path(), path);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace assay
