#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "schema/json_path.h"
#include "schema/names.h"
#include "schema/problem_list.h"
#include "schema/validate.h"

namespace assay {
namespace {

void CheckPresence(const v1::Evaluation& evaluation, ProblemList& problems) {
  const std::string status = v1::EvaluationStatus_Name(evaluation.status());
  const bool passed = evaluation.status() == v1::PASSED;
  const bool compared =
      passed || evaluation.status() == v1::INCORRECT_NUMERICAL;
  if (evaluation.has_correctness() != compared) {
    problems.Error("$.evaluation.correctness",
                   absl::StrCat(compared ? "is missing, the status "
                                         : "must be absent, the status ",
                                status, compared ? " needs it" : " has none"));
  }
  if (evaluation.has_performance() != passed) {
    problems.Error("$.evaluation.performance",
                   absl::StrCat(passed ? "is missing, the status "
                                       : "must be absent, the status ",
                                status, passed ? " needs it" : " has none"));
  }
}

void CheckTime(absl::string_view name, double ms, ProblemList& problems) {
  if (std::isfinite(ms) && ms >= 0) return;
  problems.Error(MemberPath("$.evaluation.performance", name),
                 absl::StrCat("is ", ms, ", must be finite and at least 0"));
}

// A NaN is a fine error: the output was one.
void CheckError(absl::string_view name, double error, ProblemList& problems) {
  if (!(error < 0)) return;
  problems.Error(MemberPath("$.evaluation.correctness", name),
                 absl::StrCat("is ", error, ", must be at least 0 or NaN"));
}

void CheckEvaluation(const v1::Evaluation& evaluation, ProblemList& problems) {
  if (evaluation.status() == v1::EVALUATION_STATUS_UNSPECIFIED ||
      !v1::EvaluationStatus_IsValid(evaluation.status())) {
    problems.Error("$.evaluation.status", "is not set, give the verdict");
  } else {
    CheckPresence(evaluation, problems);
  }
  if (evaluation.environment().hardware().empty()) {
    problems.Error("$.evaluation.environment.hardware",
                   "is empty, name the device");
  }
  if (evaluation.log().size() > kMaxLogBytes) {
    problems.Error("$.evaluation.log",
                   absl::StrCat("has ", evaluation.log().size(),
                                " bytes, use at most ", kMaxLogBytes));
  }
  if (!evaluation.has_timestamp()) {
    problems.Error("$.evaluation.timestamp",
                   "is missing, say when the evaluation ended");
  }
  if (evaluation.has_correctness()) {
    const v1::Correctness& correctness = evaluation.correctness();
    CheckError("max_relative_error", correctness.max_relative_error(),
               problems);
    CheckError("max_absolute_error", correctness.max_absolute_error(),
               problems);
  }
  if (evaluation.has_performance()) {
    const v1::Performance& performance = evaluation.performance();
    CheckTime("latency_ms", performance.latency_ms(), problems);
    CheckTime("reference_latency_ms", performance.reference_latency_ms(),
              problems);
    CheckTime("speedup_factor", performance.speedup_factor(), problems);
    CheckTime("host_latency_ms", performance.host_latency_ms(), problems);
  }
}

}  // namespace

std::vector<Problem> ValidateTrace(const v1::Trace& trace) {
  ProblemList problems;
  if (const std::string fault = NameFault(trace.definition()); !fault.empty()) {
    problems.Error("$.definition",
                   absl::StrCat(Quoted(trace.definition()), " ", fault));
  }
  if (const std::string fault = LineFault(trace.workload().uuid());
      !fault.empty()) {
    problems.Error("$.workload.uuid",
                   absl::StrCat(Quoted(trace.workload().uuid()), " ", fault));
  }
  if (trace.solution().empty() && trace.has_evaluation()) {
    problems.Error("$.solution",
                   "is missing, name the solution that was evaluated");
  }
  if (!trace.solution().empty()) {
    if (const std::string fault = NameFault(trace.solution()); !fault.empty()) {
      problems.Error("$.solution",
                     absl::StrCat(Quoted(trace.solution()), " ", fault));
    }
    if (!trace.has_evaluation()) {
      problems.Error("$.evaluation",
                     "is missing, a trace with a solution has one");
    }
  }
  if (trace.has_evaluation()) CheckEvaluation(trace.evaluation(), problems);
  return std::move(problems).Release();
}

}  // namespace assay
