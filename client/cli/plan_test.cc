#include "client/cli/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class PlanTest : public testing::Test {
 protected:
  PlanTest() {
    device_.set_kind("cpu");
    device_.set_model("AMD_EPYC_9554");
    device_.set_architecture("x86_64");
    device_.add_languages(v1::BuildSpec::CPP);
    device_.add_languages(v1::BuildSpec::PYTHON);
    device_.add_bindings(v1::BuildSpec::C);
    device_.add_bindings(v1::BuildSpec::TVM_FFI);
  }

  v1::Solution& AddSolution(const std::string& name,
                            const std::vector<std::string>& hardware) {
    v1::Solution solution;
    solution.set_name(name);
    solution.set_definition("d");
    solution.mutable_spec()->set_language(v1::BuildSpec::CPP);
    for (const std::string& word : hardware) {
      solution.mutable_spec()->add_target_hardware(word);
    }
    set_.solutions.push_back({"s", solution});
    return set_.solutions.back().value;
  }

  void AddWorkload(const std::string& uuid,
                   const std::vector<std::string>& hardware) {
    v1::Trace trace;
    trace.set_definition("d");
    trace.mutable_workload()->set_uuid(uuid);
    for (const std::string& word : hardware) {
      trace.mutable_workload()->add_target_hardware(word);
    }
    set_.workloads.push_back({"w", trace});
  }

  std::string OnlyReason() {
    const Plan plan = PlanFor(set_, {device_});
    EXPECT_THAT(plan.submissions, IsEmpty());
    return plan.not_run.size() == 1 ? plan.not_run[0].reason : "?";
  }

  v1::Device device_;
  TraceSet set_;
};

TEST_F(PlanTest, FittingWorkloadsOfFittingSolutions) {
  AddSolution("fits", {"cpu"});
  AddSolution("anywhere", {"LOCAL"});
  AddWorkload("small", {"cpu"});
  AddWorkload("large", {"cuda"});
  AddWorkload("any", {});
  const Plan plan = PlanFor(set_, {device_});
  ASSERT_THAT(plan.submissions, SizeIs(2));
  EXPECT_EQ(plan.submissions[0].solution->name(), "fits");
  EXPECT_THAT(plan.submissions[0].workload_uuids, ElementsAre("small", "any"));
  EXPECT_THAT(plan.submissions[1].workload_uuids, ElementsAre("small", "any"));
  EXPECT_EQ(plan.workloads_left_out, 1);
  EXPECT_THAT(plan.not_run, IsEmpty());
}

TEST_F(PlanTest, OtherKindOfDevice) {
  AddSolution("s", {"cuda", "NVIDIA_H200"});
  AddWorkload("w", {});
  EXPECT_EQ(OnlyReason(), "needs cuda");
}

TEST_F(PlanTest, LanguageThatTheWorkerLacks) {
  AddSolution("s", {"cpu"})
      .mutable_spec()
      ->set_language(v1::BuildSpec::TILELANG);
  AddWorkload("w", {});
  EXPECT_EQ(OnlyReason(), "needs a worker for tilelang");
}

TEST_F(PlanTest, BindingThatTheWorkerLacks) {
  AddSolution("s", {"cpu"}).mutable_spec()->set_binding(v1::BuildSpec::TORCH);
  AddWorkload("w", {});
  EXPECT_EQ(OnlyReason(), "needs a worker for binding torch");
}

TEST_F(PlanTest, CompiledSolutionsBindThroughTvmFfiByDefault) {
  AddSolution("s", {"cpu"});
  AddWorkload("w", {});
  device_.clear_bindings();
  device_.add_bindings(v1::BuildSpec::C);
  EXPECT_EQ(OnlyReason(), "needs a worker for binding tvm-ffi");
}

TEST_F(PlanTest, NoWorkloads) {
  AddSolution("s", {"cpu"});
  EXPECT_EQ(OnlyReason(), "its definition has no workloads");
}

TEST_F(PlanTest, WorkloadsForOtherDevicesOnly) {
  AddSolution("s", {"cpu"});
  AddWorkload("w", {"cuda"});
  EXPECT_EQ(OnlyReason(), "its workloads need cuda");
}

TEST_F(PlanTest, WorkloadsOfUnplannedSolutionsAreNotLeftOut) {
  AddSolution("s", {"cuda"});
  AddWorkload("w", {"cuda"});
  EXPECT_EQ(PlanFor(set_, {device_}).workloads_left_out, 0);
}

TEST_F(PlanTest, OneFittingDeviceSuffices) {
  AddSolution("s", {"cuda"});
  AddWorkload("w", {"cuda"});
  v1::Device gpu;
  gpu.set_kind("cuda");
  EXPECT_THAT(PlanFor(set_, {device_, gpu}).submissions, SizeIs(1));
}

TEST_F(PlanTest, NoDevicesAtAllRunNothing) {
  AddSolution("s", {"cuda"});
  AddWorkload("w", {});
  EXPECT_THAT(PlanFor(set_, {}).submissions, IsEmpty());
}

TEST_F(PlanTest, AllTakesEverySolutionWithEveryWorkload) {
  AddSolution("a", {"cuda"});
  AddSolution("b", {"cpu"});
  const Plan plan = PlanAll(set_);
  ASSERT_THAT(plan.submissions, SizeIs(2));
  EXPECT_THAT(plan.submissions[0].workload_uuids, IsEmpty());
}

TEST(NotRunTextTest, GroupsByReason) {
  EXPECT_EQ(NotRunText({{"a", "needs cuda"},
                        {"b", "needs a worker for triton"},
                        {"c", "needs cuda"}},
                       0),
            "not run, needs a worker for triton: 1 solution\n"
            "  b\n"
            "not run, needs cuda: 2 solutions\n"
            "  a, c");
}

TEST(NotRunTextTest, WrapsNamesWithoutATerminalToo) {
  const std::string name(31, 'x');
  EXPECT_EQ(NotRunText({{name, "needs cuda"},
                        {name, "needs cuda"},
                        {name, "needs cuda"},
                        {name, "needs cuda"}},
                       0),
            "not run, needs cuda: 4 solutions\n  " + name + ", " + name + ", " +
                name + ",\n  " + name);
}

}  // namespace
}  // namespace assay
