#include "worker/build/disk_use.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <string>

#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::Lt;

constexpr int64_t kGib = int64_t{1} << 30;

TEST(JudgeDiskUseTest, RoomIsNobodysFault) {
  EXPECT_EQ(JudgeDiskUse({kGib, 10 * kGib}), DiskFault::kNone);
}

TEST(JudgeDiskUseTest, FullDiskIsTheMachinesFault) {
  EXPECT_EQ(JudgeDiskUse({kGib, 0}), DiskFault::kMachine);
}

TEST(JudgeDiskUseTest, BuildThatFilledTheDiskIsAtFault) {
  EXPECT_EQ(JudgeDiskUse({2 * kGib + 1, 0}), DiskFault::kBuild);
}

TEST(JudgeDiskUseTest, BuildMayTakeTwoGibibytes) {
  EXPECT_EQ(JudgeDiskUse({2 * kGib, 10 * kGib}), DiskFault::kNone);
  EXPECT_EQ(JudgeDiskUse({2 * kGib + 1, 10 * kGib}), DiskFault::kBuild);
}

TEST(MeasureDiskUseTest, CountsFilesInFoldersAndNotWhatLinksLeadTo) {
  ASSERT_OK_AND_ASSIGN(const TempDir elsewhere, TempDir::Create("assay-test-"));
  ASSERT_OK(WriteFileAtomically(elsewhere.path() + "/large",
                                std::string(8 << 20, 'x')));
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-test-"));
  ASSERT_OK(CreateDirectories(folder.path() + "/a/b"));
  ASSERT_OK(WriteFileAtomically(folder.path() + "/a/b/file",
                                std::string(1 << 20, 'x')));
  ASSERT_EQ(
      symlink(elsewhere.path().c_str(), (folder.path() + "/link").c_str()), 0);
  const DiskUse use = MeasureDiskUse(folder.path());
  EXPECT_THAT(use.used_bytes, AllOf(Ge(1 << 20), Lt(4 << 20)));
  EXPECT_GT(use.free_bytes, 0);
}

TEST(MeasureDiskUseTest, FolderThatIsMissingTakesNothing) {
  const DiskUse use = MeasureDiskUse("/no/such/folder");
  EXPECT_EQ(use.used_bytes, 0);
  EXPECT_EQ(JudgeDiskUse(use), DiskFault::kNone);
}

}  // namespace
}  // namespace assay
