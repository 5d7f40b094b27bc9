#include <cmath>
#include <functional>

#include "schema/schema_testing.h"
#include "schema/validate.h"
#include "schema/validate_testing.h"

namespace assay {
namespace {

using testing::IsEmpty;

using Trace = v1::Trace;

TEST(ValidateTraceTest, GoodOnesHaveNoProblems) {
  EXPECT_THAT(Texts(ValidateTrace(ScaleTrace())), IsEmpty());
  Trace workload_only = ScaleTrace();
  workload_only.clear_solution();
  workload_only.clear_evaluation();
  EXPECT_THAT(Texts(ValidateTrace(workload_only)), IsEmpty());
}

// Who has correctness and performance, for every status.
TEST(ValidateTraceTest, PresenceRulesOfEveryStatus) {
  const struct {
    v1::EvaluationStatus status;
    bool correctness;
    bool performance;
  } kRules[] = {
      {v1::PASSED, true, true},
      {v1::INCORRECT_NUMERICAL, true, false},
      {v1::INCORRECT_SHAPE, false, false},
      {v1::INCORRECT_DTYPE, false, false},
      {v1::RUNTIME_ERROR, false, false},
      {v1::COMPILE_ERROR, false, false},
      {v1::TIMEOUT, false, false},
  };
  for (const auto& rule : kRules) {
    for (const bool correctness : {false, true}) {
      for (const bool performance : {false, true}) {
        Trace trace = ScaleTrace();
        v1::Evaluation& evaluation = *trace.mutable_evaluation();
        evaluation.set_status(rule.status);
        if (!correctness) evaluation.clear_correctness();
        if (!performance) evaluation.clear_performance();
        const bool good =
            correctness == rule.correctness && performance == rule.performance;
        EXPECT_EQ(ValidateTrace(trace).empty(), good)
            << v1::EvaluationStatus_Name(rule.status) << correctness
            << performance;
      }
    }
  }
}

TEST(ValidateTraceTest, EachFaultIsNamed) {
  const struct {
    std::function<void(Trace&)> change;
    const char* problem;
  } kCases[] = {
      {[](Trace& t) { t.set_definition(""); }, "error $.definition: \"\" is"},
      {[](Trace& t) { t.mutable_workload()->set_uuid(""); },
       "error $.workload.uuid: \"\" is empty"},
      {[](Trace& t) { t.clear_solution(); },
       "error $.solution: is missing, name the solution"},
      {[](Trace& t) { t.clear_evaluation(); },
       "error $.evaluation: is missing"},
      {[](Trace& t) {
         t.mutable_evaluation()->mutable_log()->assign(kMaxLogBytes + 1, 'a');
       },
       "error $.evaluation.log: has 4194305 bytes, use at most 4194304"},
      {[](Trace& t) { t.mutable_evaluation()->clear_status(); },
       "error $.evaluation.status: is not set"},
      {[](Trace& t) { t.mutable_evaluation()->clear_correctness(); },
       "error $.evaluation.correctness: is missing, the status PASSED needs"},
      {[](Trace& t) {
         t.mutable_evaluation()->set_status(v1::INCORRECT_NUMERICAL);
       },
       "error $.evaluation.performance: must be absent, the status "
       "INCORRECT_NUMERICAL has none"},
      {[](Trace& t) {
         t.mutable_evaluation()->mutable_environment()->clear_hardware();
       },
       "error $.evaluation.environment.hardware: is empty"},
      {[](Trace& t) { t.mutable_evaluation()->clear_timestamp(); },
       "error $.evaluation.timestamp: is missing"},
      {[](Trace& t) {
         t.mutable_evaluation()->mutable_performance()->set_latency_ms(NAN);
       },
       "error $.evaluation.performance.latency_ms: is nan"},
      {[](Trace& t) {
         t.mutable_evaluation()->mutable_performance()->set_speedup_factor(-1);
       },
       "error $.evaluation.performance.speedup_factor: is -1"},
      {[](v1::Trace& t) {
         t.mutable_evaluation()->mutable_performance()->set_host_latency_ms(-1);
       },
       "error $.evaluation.performance.host_latency_ms: is -1"},
      {[](Trace& t) {
         t.mutable_evaluation()->mutable_correctness()->set_max_absolute_error(
             -1);
       },
       "error $.evaluation.correctness.max_absolute_error: is -1"},
  };
  for (const auto& c : kCases) {
    Trace trace = ScaleTrace();
    c.change(trace);
    EXPECT_THAT(ValidateTrace(trace), OnlyProblem(c.problem));
  }
}

TEST(ValidateTraceTest, AnErrorMayBeNan) {
  Trace trace = ScaleTrace();
  trace.mutable_evaluation()->mutable_correctness()->set_max_absolute_error(
      NAN);
  EXPECT_THAT(Texts(ValidateTrace(trace)), IsEmpty());
}

}  // namespace
}  // namespace assay
