#include "client/cli/exit_code.h"

#include <gtest/gtest.h>

#include <vector>

namespace assay {
namespace {

TEST(ExitCodeTest, EachOutcomeHasItsOwn) {
  struct Case {
    v1::EvaluationStatus status;
    int want;
  };
  const Case cases[] = {
      {v1::PASSED, 0},          {v1::INCORRECT_SHAPE, 1},
      {v1::INCORRECT_DTYPE, 1}, {v1::INCORRECT_NUMERICAL, 1},
      {v1::COMPILE_ERROR, 2},   {v1::RUNTIME_ERROR, 3},
      {v1::TIMEOUT, 4},         {v1::EVALUATION_STATUS_UNSPECIFIED, 5},
  };
  for (const Case& c : cases) {
    OutcomeCounts counts;
    counts.by_status[v1::PASSED] = 3;
    ++counts.by_status[c.status];
    EXPECT_EQ(static_cast<int>(ExitCodeFor(counts)), c.want) << c.status;
  }
}

TEST(ExitCodeTest, PriorityIsAsDocumented) {
  // Takes the outcomes away one by one, the strongest first.
  OutcomeCounts counts;
  counts.failed = 1;
  counts.cancelled = 1;
  for (const v1::EvaluationStatus status :
       {v1::PASSED, v1::INCORRECT_DTYPE, v1::TIMEOUT, v1::RUNTIME_ERROR,
        v1::COMPILE_ERROR}) {
    counts.by_status[status] = 1;
  }
  EXPECT_EQ(ExitCodeFor(counts), ExitCode::kInfrastructure);
  counts.failed = 0;
  EXPECT_EQ(ExitCodeFor(counts), ExitCode::kCompileError);
  counts.by_status.erase(v1::COMPILE_ERROR);
  EXPECT_EQ(ExitCodeFor(counts), ExitCode::kRuntimeError);
  counts.by_status.erase(v1::RUNTIME_ERROR);
  EXPECT_EQ(ExitCodeFor(counts), ExitCode::kTimeout);
  counts.by_status.erase(v1::TIMEOUT);
  EXPECT_EQ(ExitCodeFor(counts), ExitCode::kIncorrect);
  counts.by_status.erase(v1::INCORRECT_DTYPE);
  EXPECT_EQ(ExitCodeFor(counts), ExitCode::kCancelled);
  counts.cancelled = 0;
  EXPECT_EQ(ExitCodeFor(counts), ExitCode::kOk);
  counts.by_status.clear();
  EXPECT_EQ(ExitCodeFor(counts), ExitCode::kNothingRun);
}

TEST(ExitCodeTest, ErrorsTellInputFromInfrastructure) {
  EXPECT_EQ(ExitCodeFor(absl::OkStatus()), ExitCode::kOk);
  EXPECT_EQ(ExitCodeFor(absl::InvalidArgumentError("")),
            ExitCode::kInvalidInput);
  EXPECT_EQ(ExitCodeFor(absl::NotFoundError("")), ExitCode::kInvalidInput);
  EXPECT_EQ(ExitCodeFor(absl::AlreadyExistsError("")), ExitCode::kInvalidInput);
  EXPECT_EQ(ExitCodeFor(absl::UnavailableError("")), ExitCode::kInfrastructure);
  EXPECT_EQ(ExitCodeFor(absl::DeadlineExceededError("")),
            ExitCode::kInfrastructure);
  EXPECT_EQ(ExitCodeFor(absl::InternalError("")), ExitCode::kInfrastructure);
  EXPECT_EQ(ExitCodeFor(absl::CancelledError("")), ExitCode::kCancelled);
}

TEST(ExitCodeTest, TotalCountsEveryEnd) {
  OutcomeCounts counts;
  counts.by_status[v1::PASSED] = 3;
  counts.by_status[v1::TIMEOUT] = 2;
  counts.failed = 4;
  counts.cancelled = 5;
  EXPECT_EQ(counts.total(), 14);
}

}  // namespace
}  // namespace assay
