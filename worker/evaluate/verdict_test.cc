#include "worker/evaluate/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::HasSubstr;

RunnerOutcome FailedWith(worker::Failed::Kind kind) {
  RunnerOutcome outcome;
  outcome.kind = RunnerOutcome::kFailed;
  outcome.failed.set_kind(kind);
  outcome.failed.set_message("why");
  return outcome;
}

TEST(VerdictTest, FailuresMapToStatuses) {
  const std::pair<worker::Failed::Kind, v1::EvaluationStatus> table[] = {
      {worker::Failed::LOAD, v1::COMPILE_ERROR},
      {worker::Failed::RAISED, v1::RUNTIME_ERROR},
      {worker::Failed::WRONG_SHAPE, v1::INCORRECT_SHAPE},
      {worker::Failed::WRONG_DTYPE, v1::INCORRECT_DTYPE},
      {worker::Failed::WRONG_OUTPUTS, v1::RUNTIME_ERROR},
      // A runner cannot claim that the fault was ours.
      {worker::Failed::INTERNAL, v1::RUNTIME_ERROR},
      {worker::Failed::KIND_UNSPECIFIED, v1::RUNTIME_ERROR},
  };
  for (const auto& [kind, status] : table) {
    const Verdict verdict =
        JudgeOutcome(FailedWith(kind), "running", absl::Seconds(1));
    EXPECT_EQ(verdict.status, status) << worker::Failed::Kind_Name(kind);
    EXPECT_EQ(verdict.message, "why");
  }
}

TEST(VerdictTest, TimeoutNamesTheDeadline) {
  RunnerOutcome outcome;
  outcome.kind = RunnerOutcome::kTimeout;
  const Verdict verdict =
      JudgeOutcome(outcome, "running the solution", absl::Seconds(90));
  EXPECT_EQ(verdict.status, v1::TIMEOUT);
  EXPECT_EQ(verdict.message, "running the solution did not end within 1m30s");
}

TEST(VerdictTest, DeathSaysHow) {
  RunnerOutcome outcome;
  outcome.kind = RunnerOutcome::kDied;
  outcome.detail = "killed by signal 11 (segmentation fault)";
  const Verdict verdict = JudgeOutcome(outcome, "running", absl::Seconds(1));
  EXPECT_EQ(verdict.status, v1::RUNTIME_ERROR);
  EXPECT_THAT(verdict.message,
              HasSubstr("killed by signal 11 (segmentation fault)"));
  outcome.detail = "killed by signal 7 (bus error)";
  EXPECT_THAT(JudgeOutcome(outcome, "running", absl::Seconds(1)).message,
              HasSubstr("/dev/shm hold 1 GiB each"));
}

}  // namespace
}  // namespace assay
