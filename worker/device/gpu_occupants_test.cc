#include "worker/device/gpu_occupants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int kWorker = 100;

class GpuOccupantsTest : public testing::Test {
 protected:
  GpuOccupantsTest() : proc_(*TempDir::Create("assay-proc-")) {
    Add(1, "init", 0);
    Add(kWorker, "assay-worker", 1);
  }

  void Add(int pid, const std::string& name, int parent) {
    const std::string folder = absl::StrCat(proc_.path(), "/", pid);
    ASSERT_OK(CreateDirectories(folder));
    ASSERT_OK(WriteFileAtomically(
        folder + "/stat",
        absl::StrCat(pid, " (", name, ") S ", parent, " 7 7 0 -1 0")));
  }

  std::vector<std::string> StrangersAmong(const std::vector<int>& pids) {
    return Strangers(pids, kWorker, proc_.path());
  }

 private:
  TempDir proc_;
};

TEST_F(GpuOccupantsTest, TheWorkerAndItsDescendantsAreNone) {
  Add(101, "assay-launcher", kWorker);
  Add(102, "bwrap", 101);
  Add(103, "python3", 102);
  EXPECT_THAT(StrangersAmong({kWorker, 103}), IsEmpty());
}

TEST_F(GpuOccupantsTest, NamesThoseOfOthers) {
  Add(200, "python3", 1);
  Add(201, "a) S 100 (b", 200);
  EXPECT_THAT(StrangersAmong({kWorker, 200, 201}),
              ElementsAre("python3 (200)", "a) S 100 (b (201)"));
}

TEST_F(GpuOccupantsTest, AProcessThatEndedIsNone) {
  EXPECT_THAT(StrangersAmong({300}), IsEmpty());
}

TEST(GpuOccupantsOnThisMachineTest, FindsItselfUnderItsParent) {
  EXPECT_THAT(Strangers({getpid()}, getppid(), "/proc"), IsEmpty());
  EXPECT_THAT(Strangers({getppid()}, getpid(), "/proc"), testing::SizeIs(1));
}

}  // namespace
}  // namespace assay
