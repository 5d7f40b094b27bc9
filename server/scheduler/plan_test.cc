#include "server/scheduler/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Words = std::vector<std::string>;

v1::Solution Solution(const Words& hardware) {
  v1::Solution solution;
  for (const std::string& word : hardware) {
    solution.mutable_spec()->add_target_hardware(word);
  }
  return solution;
}

v1::Workload Workload(const std::string& uuid, const Words& hardware) {
  v1::Workload workload;
  workload.set_uuid(uuid);
  for (const std::string& word : hardware) workload.add_target_hardware(word);
  return workload;
}

struct Case {
  Words a;
  Words b;
  Words common;
};

TEST(PlanTest, CommonHardwareIsTheNarrowerWord) {
  for (const Case& c : std::vector<Case>{
           {{"cpu"}, {}, {"cpu"}},
           {{"cpu"}, {"cpu"}, {"cpu"}},
           {{"cpu"}, {"cuda"}, {}},
           {{"cuda"}, {"cpu", "NVIDIA_H200"}, {"NVIDIA_H200"}},
           {{"NVIDIA_H200"}, {"cuda"}, {"NVIDIA_H200"}},
           {{"NVIDIA_H200"}, {"NVIDIA_A100"}, {}},
           {{"LOCAL"}, {"cpu"}, {"cpu"}},
           {{"cpu"}, {"LOCAL"}, {"cpu"}},
           {{"sm_90a"}, {"NVIDIA_H200"}, {"NVIDIA_H200"}},
           {{"sm_90a"}, {"sm_100a"}, {}},
           {{"NVIDIA_H100"},
            {"NVIDIA_H100_80GB_HBM3"},
            {"NVIDIA_H100_80GB_HBM3"}},
           {{"cpu", "cuda"}, {"cuda", "cpu"}, {"cpu", "cuda"}},
           {{"cuda", "gpu"}, {"cuda"}, {"cuda"}},
           {{"cpu"}, {"rack-7"}, {"rack-7"}},
       }) {
    Words common = CommonHardware(c.a, c.b);
    EXPECT_EQ(Words(common.begin(), common.end()), c.common)
        << testing::PrintToString(c.a) << testing::PrintToString(c.b);
  }
}

TEST(PlanTest, OneJobForEachWorkloadWithoutRequest) {
  const Plan plan = PlanJobs(Solution({"cpu", "cuda"}),
                             {Workload("w1", {}), Workload("w2", {"cpu"})}, {});
  ASSERT_EQ(plan.jobs.size(), 2u);
  EXPECT_EQ(plan.jobs[0].workload_uuid, "w1");
  EXPECT_THAT(plan.jobs[0].hardware, ElementsAre(Words{"cpu", "cuda"}));
  EXPECT_THAT(plan.jobs[1].hardware, ElementsAre(Words{"cpu"}));
  EXPECT_THAT(plan.skipped, IsEmpty());
}

TEST(PlanTest, CellsWithoutCommonHardwareAreSkippedWithTheReason) {
  const Plan plan = PlanJobs(Solution({"cuda"}),
                             {Workload("w1", {"cpu"}), Workload("w2", {})}, {});
  ASSERT_EQ(plan.skipped.size(), 1u);
  EXPECT_EQ(plan.skipped[0].workload_uuid(), "w1");
  EXPECT_EQ(plan.skipped[0].reason(),
            "the solution runs on cuda, the workload is for cpu");
  ASSERT_EQ(plan.jobs.size(), 1u);
  EXPECT_EQ(plan.jobs[0].workload_uuid, "w2");
}

TEST(PlanTest, OneJobForEachRequestedHardware) {
  const Plan plan = PlanJobs(Solution({"cuda"}), {Workload("w1", {})},
                             {"NVIDIA_H200", "NVIDIA_A100", "cpu"});
  ASSERT_EQ(plan.jobs.size(), 2u);
  EXPECT_THAT(plan.jobs[0].hardware,
              ElementsAre(Words{"NVIDIA_H200"}, Words{"cuda"}));
  EXPECT_THAT(plan.jobs[1].hardware,
              ElementsAre(Words{"NVIDIA_A100"}, Words{"cuda"}));
  ASSERT_EQ(plan.skipped.size(), 1u);
  EXPECT_EQ(plan.skipped[0].reason(),
            "the request asks for cpu, solution and workload are for cuda");
}

TEST(PlanTest, WordsThatSayDifferentThingsAllHold) {
  const Plan plan = PlanJobs(Solution({"NVIDIA_H200"}),
                             {Workload("w1", {"sm_90a"})}, {"rack-7"});
  ASSERT_EQ(plan.jobs.size(), 1u);
  EXPECT_THAT(
      plan.jobs[0].hardware,
      ElementsAre(Words{"rack-7"}, Words{"NVIDIA_H200"}, Words{"sm_90a"}));
}

TEST(PlanTest, ListsThatDemandNoMoreAreLeftOut) {
  const Plan plan = PlanJobs(Solution({"cpu", "cuda"}),
                             {Workload("w1", {"LOCAL"})}, {"cuda"});
  ASSERT_EQ(plan.jobs.size(), 1u);
  EXPECT_THAT(plan.jobs[0].hardware, ElementsAre(Words{"cuda"}));
}

}  // namespace
}  // namespace assay
