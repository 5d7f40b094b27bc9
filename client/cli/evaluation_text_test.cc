#include "client/cli/evaluation_text.h"

#include <gtest/gtest.h>

#include <string>

#include "client/cli/text.h"

namespace assay {
namespace {

v1::Evaluation WithLog(const std::string& log) {
  v1::Evaluation evaluation;
  evaluation.set_log(log);
  return evaluation;
}

TEST(EvaluationTextTest, LabelIsTheAxes) {
  v1::Workload workload;
  workload.set_uuid("0b6e");
  EXPECT_EQ(WorkloadLabel(workload), "0b6e");
  auto* axis = workload.add_axes();
  axis->set_name("batch_size");
  axis->set_value(64);
  axis = workload.add_axes();
  axis->set_name("n");
  axis->set_value(1);
  EXPECT_EQ(WorkloadLabel(workload), "batch_size=64 n=1");
}

TEST(EvaluationTextTest, StatusWords) {
  EXPECT_EQ(StatusWord(v1::PASSED), "PASSED");
  EXPECT_EQ(StatusWord(v1::EVALUATION_STATUS_UNSPECIFIED), "UNKNOWN");
  EXPECT_EQ(StatusWord(static_cast<v1::EvaluationStatus>(99)), "UNKNOWN");
}

TEST(EvaluationTextTest, DetailsOfAPass) {
  v1::Evaluation evaluation;
  evaluation.mutable_correctness();
  evaluation.mutable_performance()->set_latency_ms(0.412);
  evaluation.mutable_performance()->set_speedup_factor(12.3);
  EXPECT_EQ(EvaluationDetails(evaluation), "  0.412 ms   12.3x");
}

TEST(EvaluationTextTest, SteadinessTellsOfRepeatsToo) {
  v1::Performance performance;
  EXPECT_EQ(Steadiness(performance), "");
  performance.set_repeats(1);
  EXPECT_EQ(Steadiness(performance), "steady after 1 repeat");
  performance.set_repeats(2);
  performance.set_unstable(true);
  EXPECT_EQ(Steadiness(performance), "unstable after 2 repeats");
  performance.set_repeats(0);
  EXPECT_EQ(Steadiness(performance), "unstable");
}

TEST(EvaluationTextTest, InstabilityIsExplained) {
  v1::Performance performance;
  performance.set_latency_p10_ms(0.4);
  performance.set_latency_p90_ms(0.75);
  EXPECT_EQ(InstabilityText(performance), "");
  performance.set_unstable(true);
  EXPECT_EQ(InstabilityText(performance),
            "unstable: 10% of the samples below 0.400 ms, 90% below 0.750 ms");
  performance.mutable_device_state()->add_throttle_reasons("power_cap");
  performance.mutable_device_state()->add_throttle_reasons("thermal");
  EXPECT_EQ(InstabilityText(performance),
            "unstable: 10% of the samples below 0.400 ms, 90% below 0.750 ms, "
            "device slowed down by power cap, thermal");
}

TEST(EvaluationTextTest, DetailsOfWrongNumbers) {
  v1::Evaluation evaluation;
  evaluation.mutable_correctness()->set_max_absolute_error(0.5);
  evaluation.mutable_correctness()->set_max_relative_error(1);
  EXPECT_EQ(EvaluationDetails(evaluation), "off by 5.0e-01, relative 1.0e+00");
}

TEST(EvaluationTextTest, NoDetailsOtherwise) {
  EXPECT_EQ(EvaluationDetails(v1::Evaluation()), "");
}

TEST(UsefulLogLineTest, PicksTheLineThatSaysMost) {
  struct Case {
    const char* log;
    const char* want;
  };
  const Case cases[] = {
      {"", ""},
      {"\n  \n", ""},
      {"\n  hello \nworld", "hello"},
      {"In file included from a.h\nkernel.cpp:3:5: error: 'x' was not "
       "declared\nkernel.cpp:9:1: error: other",
       "kernel.cpp:3:5: error: 'x' was not declared"},
      {"starting\nTraceback (most recent call last):\n  File \"main.py\", line "
       "3, in run\n    y = nope\nNameError: name 'nope' is not defined\n",
       "NameError: name 'nope' is not defined"},
      {"Traceback (most recent call last):\nValueError: first\n\nDuring "
       "handling\ntorch.cuda.OutOfMemoryError: second",
       "torch.cuda.OutOfMemoryError: second"},
      {"printed by the solution\nassay: killed by signal 11 (segmentation "
       "fault)",
       "killed by signal 11 (segmentation fault)"},
      {"kernel.cpp:1:1: error: x\nassay: entry point \"scale\" must be: int "
       "scale()",
       "entry point \"scale\" must be: int scale()"},
      {"a\x1b[2Jb", "a?[2Jb"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(UsefulLogLine(WithLog(c.log)), c.want) << c.log;
  }
}

TEST(LayoutTest, NeedsDecideWhenThereIsRoom) {
  const LineLayout layout = FitLayout(28, 13, 120);
  EXPECT_EQ(layout.solution, 28);
  EXPECT_EQ(layout.workload, 13);
}

TEST(LayoutTest, WiderColumnGivesFirst) {
  const LineLayout layout = FitLayout(50, 13, 80);
  EXPECT_EQ(layout.workload, 13);
  EXPECT_EQ(layout.solution, 24);
}

TEST(LayoutTest, AnyWidthWithoutATerminal) {
  EXPECT_EQ(FitLayout(300, 13, 0).solution, 300);
  EXPECT_EQ(FitLayout(300, 13, 0).workload, 13);
}

TEST(LayoutTest, LongWorkloadsAreCutWithoutATerminalToo) {
  const LineLayout layout = FitLayout(3, 200, 0);
  EXPECT_EQ(layout.workload, 40);
  EXPECT_EQ(
      OutcomeLine("TIMEOUT", "a", std::string(50, 'n') + "=1", "x", layout),
      "TIMEOUT              a    " + std::string(18, 'n') + "..." +
          std::string(17, 'n') + "=1  x");
}

TEST(LayoutTest, NamesStayReadableOnATinyTerminal) {
  const LineLayout layout = FitLayout(50, 50, 20);
  EXPECT_EQ(layout.solution, 12);
  EXPECT_EQ(layout.workload, 12);
}

TEST(OutcomeLineTest, LinesUpAndFitsTheWidth) {
  const LineLayout layout = FitLayout(28, 13, 80);
  const std::string line =
      OutcomeLine("PASSED", "rmsnorm_h4096_cpp_vectorized", "batch_size=64",
                  "  0.412 ms   12.3x", layout);
  EXPECT_EQ(line,
            "PASSED               rmsnorm_h4..._vectorized  batch_size=64    "
            "0.412 ms   12.3x");
  EXPECT_EQ(TextWidth(line), 80);
}

TEST(OutcomeLineTest, EndsWithoutBlanks) {
  EXPECT_EQ(OutcomeLine("TIMEOUT", "a", "n=1", "", {3, 5}),
            "TIMEOUT              a    n=1");
}

}  // namespace
}  // namespace assay
