#include "worker/sandbox/process_bound.h"

#include <gmock/gmock.h>

namespace assay {
namespace {

TEST(ProcessBoundTest, TakesAUserAndAKernelThatCountsByNamespace) {
  const struct {
    uid_t user;
    const char* release;
    bool expected;
  } kCases[] = {
      {1000, "5.14.0-427.el9.x86_64", true},
      {1000, "6.1.0-37-amd64", true},
      {1000, "6.18", true},
      {1000, "10.0", true},
      {1000, "5.13.19", false},
      {1000, "5.4.0-200-generic", false},
      {1000, "4.18.0", false},
      {1000, "", false},
      {1000, "unknown", false},
      {0, "6.1.0", false},
  };
  for (const auto& [user, release, expected] : kCases) {
    EXPECT_EQ(CanBoundProcesses(user, release), expected) << release;
  }
}

TEST(ProcessBoundTest, TheKernelHasARelease) {
  EXPECT_THAT(KernelRelease(), testing::HasSubstr("."));
}

}  // namespace
}  // namespace assay
