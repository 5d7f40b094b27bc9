#include "client/cli/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/status_testing.h"
#include "client/cli/command_line.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SelectionTest : public testing::Test {
 protected:
  SelectionTest() {
    set_.root = "set";
    AddDefinition("gemm_a", "gemm");
    AddDefinition("gemm_b", "gemm");
    AddDefinition("rope", "rope");
  }

  // A definition with two solutions, a workload and a trace of the first.
  void AddDefinition(const std::string& name, const std::string& op_type) {
    v1::Definition definition;
    definition.set_name(name);
    definition.set_op_type(op_type);
    set_.definitions.push_back({"d", definition});
    for (const char* suffix : {"_1", "_2"}) {
      v1::Solution solution;
      solution.set_name(name + suffix);
      solution.set_definition(name);
      set_.solutions.push_back({"s", solution});
    }
    v1::Trace trace;
    trace.set_definition(name);
    set_.workloads.push_back({"w", trace});
    trace.set_solution(name + "_1");
    set_.traces.push_back({"t", trace});
  }

  std::vector<std::string> Definitions() const {
    std::vector<std::string> names;
    for (const auto& item : set_.definitions) {
      names.push_back(item.value.name());
    }
    return names;
  }
  std::vector<std::string> Solutions() const {
    std::vector<std::string> names;
    for (const auto& item : set_.solutions) names.push_back(item.value.name());
    return names;
  }

  TraceSet set_;
};

TEST_F(SelectionTest, EverythingByDefault) {
  ASSERT_OK(ApplySelection({}, set_));
  EXPECT_EQ(set_.definitions.size(), 3u);
  EXPECT_EQ(set_.solutions.size(), 6u);
  EXPECT_EQ(set_.traces.size(), 3u);
}

TEST_F(SelectionTest, ByDefinition) {
  Selection selection;
  selection.definitions = {"rope"};
  ASSERT_OK(ApplySelection(selection, set_));
  EXPECT_THAT(Definitions(), ElementsAre("rope"));
  EXPECT_THAT(Solutions(), ElementsAre("rope_1", "rope_2"));
  EXPECT_EQ(set_.workloads.size(), 1u);
  EXPECT_EQ(set_.traces.size(), 1u);
}

TEST_F(SelectionTest, BySolutionKeepsItsDefinition) {
  Selection selection;
  selection.solutions = {"gemm_b_2"};
  ASSERT_OK(ApplySelection(selection, set_));
  EXPECT_THAT(Definitions(), ElementsAre("gemm_b"));
  EXPECT_THAT(Solutions(), ElementsAre("gemm_b_2"));
  EXPECT_EQ(set_.workloads.size(), 1u);
  EXPECT_EQ(set_.traces.size(), 0u);
}

TEST_F(SelectionTest, ByOpType) {
  Selection selection;
  selection.op_type = "gemm";
  ASSERT_OK(ApplySelection(selection, set_));
  EXPECT_THAT(Definitions(), ElementsAre("gemm_a", "gemm_b"));
  EXPECT_EQ(set_.solutions.size(), 4u);
}

TEST_F(SelectionTest, UnknownNamesAreRefusedWithNearOnes) {
  Selection selection;
  selection.definitions = {"gemma"};
  EXPECT_THAT(ApplySelection(selection, set_),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("no definition \"gemma\" in set"),
                             HasSubstr("did you mean \"gemm_a\""))));
  selection = {};
  selection.solutions = {"rope_3"};
  EXPECT_THAT(ApplySelection(selection, set_),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("did you mean \"rope_1\" or \"rope_2\"?")));
  selection = {};
  selection.op_type = "conv";
  EXPECT_THAT(ApplySelection(selection, set_),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("no op_type \"conv\"")));
}

TEST(SelectionFlagsTest, FlagsReachTheirFields) {
  CommandLine line("test", "", "", "");
  Command command = line.root().AddCommand("run", "");
  Selection selection;
  selection.AddTo(command);
  EXPECT_TRUE(selection.is_everything());
  const ParseResult result = line.Parse(
      {"run", "--definitions", "a,b", "--solutions", "c", "--op-type", "d"});
  ASSERT_EQ(result.kind, ParseResult::kChosen) << result.text;
  EXPECT_THAT(selection.definitions, ElementsAre("a", "b"));
  EXPECT_THAT(selection.solutions, ElementsAre("c"));
  EXPECT_EQ(selection.op_type, "d");
  EXPECT_FALSE(selection.is_everything());
}

}  // namespace
}  // namespace assay
