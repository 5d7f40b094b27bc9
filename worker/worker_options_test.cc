#include "worker/worker_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

TEST(ParseDeviceNameTest, KnowsCpuAndGpus) {
  ASSERT_OK_AND_ASSIGN(DeviceName name, ParseDeviceName("cpu"));
  EXPECT_EQ(name.kind, "cpu");
  ASSERT_OK_AND_ASSIGN(name, ParseDeviceName("cuda"));
  EXPECT_EQ(name.kind, "cuda");
  EXPECT_EQ(name.ordinal, 0);
  ASSERT_OK_AND_ASSIGN(name, ParseDeviceName("cuda:3"));
  EXPECT_EQ(name.kind, "cuda");
  EXPECT_EQ(name.ordinal, 3);
}

TEST(ParseDeviceNameTest, RefusesOthersByName) {
  for (const char* text :
       {"", "tpu", "cpu:0", "cuda:", "cuda:-1", "cuda:x", "cuda:1:2", ":1"}) {
    EXPECT_THAT(ParseDeviceName(text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("unknown device")))
        << text;
  }
}

TEST(FindPythonTest, AGpuTakesTheOneInPath) {
  const TempDir folder = *TempDir::Create("assay-python-");
  const std::string python = folder.path() + "/python3";
  ASSERT_OK(WriteFileAtomically(python, ""));
  ASSERT_EQ(chmod(python.c_str(), 0755), 0);
  const std::string path = getenv("PATH");
  setenv("PATH", ("relative:" + folder.path() + ":" + path).c_str(), 1);
  WorkerOptions options;
  EXPECT_THAT(FindPython(options), IsOkAndHolds("/usr/bin/python3"));
  options.device = "cuda:1";
  EXPECT_THAT(FindPython(options), IsOkAndHolds(python));
  options.python = "/opt/python";
  EXPECT_THAT(FindPython(options), IsOkAndHolds("/opt/python"));
  setenv("PATH", "/no/such/folder", 1);
  options.python.clear();
  EXPECT_THAT(
      FindPython(options),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("--python")));
  setenv("PATH", path.c_str(), 1);
}

TEST(FindPythonTest, RefusesARelativePath) {
  WorkerOptions options;
  options.python = "python3";
  EXPECT_THAT(FindPython(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"python3\" is not an absolute path")));
}

TEST(LeasesAtATimeTest, AGpuBuildsAheadOnHalfOfTheCpus) {
  WorkerOptions options;
  EXPECT_EQ(LeasesAtATime(options, 64), 1);
  options.device = "cuda";
  EXPECT_EQ(LeasesAtATime(options, 1), 2);
  EXPECT_EQ(LeasesAtATime(options, 6), 4);
  EXPECT_EQ(LeasesAtATime(options, 64), 9);
  options.builds_ahead = 0;
  EXPECT_EQ(LeasesAtATime(options, 64), 1);
  options.builds_ahead = 20;
  EXPECT_EQ(LeasesAtATime(options, 64), 21);
}

TEST(SandboxMemoryTest, IsWhatIsAskedForOrAShareOfTheMachine) {
  WorkerOptions options;
  EXPECT_GT(SandboxMemoryBytes(options), 0);
  EXPECT_LE(SandboxMemoryBytes(options), int64_t{32} << 30);
  options.sandbox_memory_bytes = 12345;
  EXPECT_EQ(SandboxMemoryBytes(options), 12345);
}

TEST(SandboxCpuTimeTest, IsAnHourForEachProcessorUnlessGiven) {
  WorkerOptions options;
  EXPECT_GE(SandboxCpuTime(options), absl::Hours(1));
  options.sandbox_cpu_seconds = 90;
  EXPECT_EQ(SandboxCpuTime(options), absl::Seconds(90));
}

}  // namespace
}  // namespace assay
