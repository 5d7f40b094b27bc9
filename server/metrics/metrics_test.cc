#include "server/metrics/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/time/time.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

Effects OfEvent(v1::SubmissionEvent event) {
  Effects effects;
  effects.changes.push_back({1, std::move(event)});
  return effects;
}

TEST(MetricsTest, CountsCallsByMethodAndCode) {
  Metrics metrics;
  metrics.OnCallStarted("/s/A");
  metrics.OnCallStarted("/s/A");
  metrics.OnCallEnded("/s/A", absl::StatusCode::kNotFound,
                      absl::Milliseconds(3));
  const std::string text = metrics.Text({});
  EXPECT_THAT(text, HasSubstr("assay_rpc_started_total{method=\"/s/A\"} 2"));
  EXPECT_THAT(
      text,
      HasSubstr("assay_rpc_ended_total{code=\"NOT_FOUND\",method=\"/s/A\"} 1"));
  EXPECT_THAT(text, HasSubstr("assay_rpc_duration_seconds_bucket{method=\"/s/"
                              "A\",le=\"0.002\"} 0"));
  EXPECT_THAT(text, HasSubstr("assay_rpc_duration_seconds_bucket{method=\"/s/"
                              "A\",le=\"0.005\"} 1"));
}

TEST(MetricsTest, CountsTransactions) {
  Metrics metrics;
  metrics.OnTransaction(3, absl::Milliseconds(2), absl::OkStatus());
  metrics.OnTransaction(1, absl::Milliseconds(2),
                        absl::ResourceExhaustedError("full"));
  const std::string text = metrics.Text({});
  EXPECT_THAT(text, HasSubstr("assay_store_transactions_total{result=\"ok\"} "
                              "1"));
  EXPECT_THAT(text,
              HasSubstr("assay_store_transactions_total{result=\"failed\"} 1"));
  EXPECT_THAT(text, HasSubstr("assay_store_transaction_tasks_sum 4"));
}

TEST(MetricsTest, CountsEvaluationsAndTheirStages) {
  Metrics metrics;
  v1::SubmissionEvent event;
  v1::Evaluation& evaluation =
      *event.mutable_trace()->mutable_trace()->mutable_evaluation();
  evaluation.set_status(v1::PASSED);
  v1::StageTime* stage = evaluation.add_stage_times();
  stage->set_stage("build");
  stage->mutable_duration()->set_seconds(2);
  stage->mutable_duration()->set_nanos(500000000);
  evaluation.add_stage_times()->set_stage("made_up");
  metrics.OnCommit(OfEvent(event));
  const std::string text = metrics.Text({});
  EXPECT_THAT(text, HasSubstr("assay_evaluations_total{status=\"PASSED\"} 1"));
  EXPECT_THAT(text, HasSubstr("assay_jobs_ended_total{state=\"completed\"} 1"));
  EXPECT_THAT(
      text,
      HasSubstr("assay_evaluation_stage_seconds_sum{stage=\"build\"} 2.5"));
  EXPECT_THAT(text, Not(HasSubstr("made_up")));
}

TEST(MetricsTest, CountsJobsOnceTheyEnd) {
  Metrics metrics;
  v1::SubmissionEvent event;
  event.mutable_job()->set_state(v1::RUNNING);
  metrics.OnCommit(OfEvent(event));
  event.mutable_job()->set_state(v1::CANCELLED);
  metrics.OnCommit(OfEvent(event));
  const std::string text = metrics.Text({});
  EXPECT_THAT(text, HasSubstr("assay_jobs_ended_total{state=\"cancelled\"} 1"));
  EXPECT_THAT(text, Not(HasSubstr("running\"} 1")));
}

TEST(MetricsTest, ShowsTheStateThatItIsGiven) {
  Metrics metrics;
  CoordinatorState state;
  state.jobs_waiting = 12;
  state.workers[v1::WorkerRecord::IDLE] = 5;
  state.workers[v1::WorkerRecord::QUARANTINED] = 2;
  state.workers[v1::WorkerRecord::LOST] = 9;
  state.is_ready = true;
  state.process.resident_bytes = 1 << 20;
  const std::string text = metrics.Text(state);
  EXPECT_THAT(text, HasSubstr("# HELP assay_jobs Jobs that have not ended."));
  EXPECT_THAT(text, HasSubstr("# TYPE assay_jobs gauge"));
  EXPECT_THAT(text, HasSubstr("assay_jobs{state=\"waiting\"} 12"));
  EXPECT_THAT(text, HasSubstr("assay_workers{state=\"idle\"} 5"));
  EXPECT_THAT(text, HasSubstr("assay_workers{state=\"quarantined\"} 2"));
  EXPECT_THAT(text, HasSubstr("assay_workers{state=\"drained\"} 0"));
  EXPECT_THAT(text, Not(HasSubstr("lost")));
  EXPECT_THAT(text, HasSubstr("assay_ready 1"));
  EXPECT_THAT(text, HasSubstr("process_resident_memory_bytes 1048576"));
  EXPECT_THAT(metrics.Text({}), HasSubstr("assay_ready 0"));
}

}  // namespace
}  // namespace assay
