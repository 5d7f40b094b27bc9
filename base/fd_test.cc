#include "base/fd.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_testing.h"

namespace assay {
namespace {

bool IsOpen(int fd) { return fcntl(fd, F_GETFD) >= 0; }

bool IsCloseOnExec(int fd) { return (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0; }

int OpenNull() { return open("/dev/null", O_RDWR | O_CLOEXEC); }

TEST(UniqueFdTest, ClosesAtTheEnd) {
  int number;
  {
    const UniqueFd fd(OpenNull());
    number = fd.get();
    ASSERT_TRUE(IsOpen(number));
  }
  EXPECT_FALSE(IsOpen(number));
}

TEST(UniqueFdTest, IsInvalidByDefault) {
  const UniqueFd fd;
  EXPECT_FALSE(fd.valid());
  EXPECT_EQ(fd.get(), -1);
}

TEST(UniqueFdTest, ReleaseGivesUpOwnership) {
  UniqueFd fd(OpenNull());
  const int number = fd.Release();
  EXPECT_FALSE(fd.valid());
  EXPECT_TRUE(IsOpen(number));
  close(number);
}

TEST(UniqueFdTest, MoveTransfersOwnership) {
  UniqueFd from(OpenNull());
  const int number = from.get();
  const UniqueFd to(std::move(from));
  EXPECT_FALSE(from.valid());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(to.get(), number);
  EXPECT_TRUE(IsOpen(number));
}

TEST(UniqueFdTest, MoveAssignmentClosesTheOldOne) {
  UniqueFd fd(OpenNull());
  const int old = fd.get();
  UniqueFd other(OpenNull());
  const int number = other.get();
  fd = std::move(other);
  EXPECT_FALSE(IsOpen(old));
  EXPECT_EQ(fd.get(), number);
}

TEST(UniqueFdTest, ResetCloses) {
  UniqueFd fd(OpenNull());
  const int number = fd.get();
  fd.Reset();
  EXPECT_FALSE(IsOpen(number));
  EXPECT_FALSE(fd.valid());
}

TEST(MemFdTest, IsZeroedAndOfItsSize) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("test", 5000));
  ASSERT_OK_AND_ASSIGN(const Mapping memory,
                       Mapping::Map(fd.get(), 5000, /*writable=*/false));
  EXPECT_EQ(memory.size(), 5000u);
  EXPECT_EQ(memory.view(), absl::string_view(std::string(5000, '\0')));
  EXPECT_TRUE(IsCloseOnExec(fd.get()));
}

TEST(MemFdTest, SizeCannotBeChanged) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("test", 4096));
  EXPECT_NE(ftruncate(fd.get(), 0), 0);
  EXPECT_NE(ftruncate(fd.get(), 8192), 0);
}

TEST(MemFdTest, SealAgainstNewWritersKeepsTheMappingThatIsThere) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("test", 4096));
  ASSERT_OK_AND_ASSIGN(const Mapping writer,
                       Mapping::Map(fd.get(), 4096, /*writable=*/true));
  ASSERT_OK(SealAgainstNewWriters(fd.get()));
  writer.data()[0] = 'x';
  ASSERT_OK_AND_ASSIGN(const Mapping reader,
                       Mapping::Map(fd.get(), 4096, /*writable=*/false));
  EXPECT_EQ(reader.data()[0], 'x');
}

TEST(MemFdTest, SealAgainstNewWritersHoldsForThoseWhoOpenItAgain) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("test", 4096));
  ASSERT_OK(SealAgainstNewWriters(fd.get()));
  const std::string path = absl::StrCat("/proc/self/fd/", fd.get());
  const UniqueFd again(open(path.c_str(), O_RDWR | O_CLOEXEC));
  EXPECT_THAT(Mapping::Map(again.get(), 4096, /*writable=*/true),
              StatusIs(absl::StatusCode::kPermissionDenied, testing::_));
  EXPECT_LT(pwrite(again.get(), "x", 1, 0), 0);
}

TEST(MappingTest, WritesAreSharedBetweenMappings) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("test", 4096));
  ASSERT_OK_AND_ASSIGN(const Mapping writer,
                       Mapping::Map(fd.get(), 4096, /*writable=*/true));
  ASSERT_OK_AND_ASSIGN(const Mapping reader,
                       Mapping::Map(fd.get(), 4096, /*writable=*/false));
  std::strcpy(writer.data(), "hello");
  EXPECT_STREQ(reader.data(), "hello");
}

TEST(MappingTest, MoveTransfersOwnership) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("test", 4096));
  ASSERT_OK_AND_ASSIGN(Mapping from,
                       Mapping::Map(fd.get(), 4096, /*writable=*/true));
  from.data()[0] = 'x';
  const Mapping to(std::move(from));
  EXPECT_EQ(from.size(), 0u);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(to.data()[0], 'x');
}

TEST(MappingTest, NothingIsMappedForSizeZero) {
  ASSERT_OK_AND_ASSIGN(const Mapping memory, Mapping::Map(-1, 0, true));
  EXPECT_EQ(memory.data(), nullptr);
  EXPECT_EQ(memory.size(), 0u);
}

TEST(MappingTest, BadDescriptorIsAnError) {
  EXPECT_THAT(Mapping::Map(-1, 4096, true).status(), testing::Not(IsOk()));
}

TEST(ReopenReadOnlyTest, CanBeMappedForReadingAlone) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("test", 4096));
  ASSERT_OK_AND_ASSIGN(const UniqueFd reader, ReopenReadOnly(fd.get()));
  EXPECT_OK(Mapping::Map(reader.get(), 4096, /*writable=*/false));
  EXPECT_THAT(Mapping::Map(reader.get(), 4096, /*writable=*/true),
              StatusIs(absl::StatusCode::kPermissionDenied, testing::_));
}

TEST(ReopenReadOnlyTest, SeesTheSameMemory) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("test", 4096));
  ASSERT_OK_AND_ASSIGN(const UniqueFd reader, ReopenReadOnly(fd.get()));
  ASSERT_EQ(pwrite(fd.get(), "abc", 3, 0), 3);
  char text[3];
  ASSERT_EQ(pread(reader.get(), text, 3, 0), 3);
  EXPECT_EQ(absl::string_view(text, 3), "abc");
}

TEST(DuplicateTest, IsAnotherDescriptorOfTheSameFile) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("test", 3));
  ASSERT_OK_AND_ASSIGN(const UniqueFd copy, Duplicate(fd.get()));
  EXPECT_NE(copy.get(), fd.get());
  EXPECT_TRUE(IsCloseOnExec(copy.get()));
  ASSERT_EQ(pwrite(fd.get(), "abc", 3, 0), 3);
  char text[3];
  ASSERT_EQ(pread(copy.get(), text, 3, 0), 3);
  EXPECT_EQ(absl::string_view(text, 3), "abc");
}

TEST(DuplicateTest, BadDescriptorIsAnError) {
  EXPECT_THAT(Duplicate(-1).status(), testing::Not(IsOk()));
}

}  // namespace
}  // namespace assay
