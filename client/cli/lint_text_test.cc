#include "client/cli/lint_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::HasSubstr;

LintResult Result(const std::string& definition, const std::string& probe,
                  int passed, double matched_ratio) {
  LintResult result;
  result.definition = definition;
  result.output = "y";
  result.probe = probe;
  result.judged = 2;
  result.passed = passed;
  result.nearest.set_matched_ratio(matched_ratio);
  result.nearest.set_max_absolute_error(0.5);
  result.nearest.set_max_relative_error(1);
  return result;
}

TEST(LintTextTest, RowsThenWhatIsWeak) {
  LintReport report;
  report.results = {Result("good", "zeros", 0, 0.25),
                    Result("weak", "copy of x", 1, 1)};
  EXPECT_EQ(
      LintText(report, 0),
      "definition  output  probe       right   off by  relative  verdict\n"
      "good        y       zeros      25.00%  5.0e-01   1.0e+00  noticed on 2 "
      "workloads\n"
      "weak        y       copy of x    100%  5.0e-01   1.0e+00  PASSES on 1 "
      "of 2 workloads\n"
      "weak: weak: output \"y\" passes as copy of x on 1 of 2 workloads (100% "
      "right, off by 5.0e-01)\n"
      "2 definitions: 1 weak");
}

TEST(LintTextTest, WhatWasNotJudgedIsNamed) {
  LintReport report;
  LintResult result = Result("broken", "ones", 0, 0);
  result.judged = 0;
  result.trouble = "RUNTIME_ERROR: no";
  report.results = {result};
  report.not_probed = {{"gpu", "it has no workloads"}};
  const std::string text = LintText(report, 0);
  EXPECT_THAT(text, HasSubstr("not judged: RUNTIME_ERROR: no\n"));
  EXPECT_THAT(text, HasSubstr("\nnot probed: gpu: it has no workloads\n"));
  EXPECT_THAT(text, HasSubstr("2 definitions: 0 weak, 2 not fully judged"));
}

TEST(LintTextTest, AnswersThatCanBeStoredAreNamed) {
  LintReport report;
  report.results = {Result("d", "zeros", 0, 0.25)};
  report.storable = {{"d", {"first", "second"}}};
  EXPECT_THAT(LintText(report, 0),
              HasSubstr("\nstored: d: of 2 workloads (first, ...) all inputs "
                        "are stored and none can be varied: answers can be "
                        "stored\n1 definition: 0 weak"));
  EXPECT_THAT(LintJson(report).Line(),
              HasSubstr("\"storable\":[{\"definition\":\"d\",\"workloads\":["
                        "\"first\",\"second\"]}]"));
}

TEST(LintTextTest, JsonHasFiguresAndNames) {
  LintReport report;
  report.results = {Result("weak", "zeros", 2, 1)};
  const std::string line = LintJson(report).Line();
  EXPECT_THAT(line, HasSubstr("\"probe\":\"zeros\""));
  EXPECT_THAT(line, HasSubstr("\"passed\":2"));
  EXPECT_THAT(line, HasSubstr("\"max_absolute_error\":0.5"));
  EXPECT_THAT(line, HasSubstr("\"weak\":[\"weak\"],\"unjudged\":[]"));
}

}  // namespace
}  // namespace assay
