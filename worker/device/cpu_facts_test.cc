#include "worker/device/cpu_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(CpuFactsTest, ModelHasNoSpacesNorMarks) {
  EXPECT_EQ(CpuModelFrom("processor\t: 0\n"
                         "model name\t: Intel(R) Xeon(R)  CPU @ 2.20GHz\n"),
            "Intel_Xeon_CPU_@_2.20GHz");
}

TEST(CpuFactsTest, UnnamedModelIsUnknown) {
  EXPECT_EQ(CpuModelFrom("processor\t: 0\n"), "unknown_cpu");
  EXPECT_EQ(CpuModelFrom(""), "unknown_cpu");
}

TEST(CpuFactsTest, ThisMachineHasMemoryAndACache) {
  const CpuFacts facts = ReadCpuFacts();
  EXPECT_GT(facts.available_bytes, 1 << 20);
  EXPECT_GT(facts.l2_bytes, 1 << 10);
  EXPECT_FALSE(facts.architecture.empty());
}

}  // namespace
}  // namespace assay
