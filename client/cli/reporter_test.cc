#include "client/cli/reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

v1::SubmissionEvent Start(int jobs) {
  v1::SubmissionEvent event;
  event.mutable_submission()->set_solution("scale_cpp");
  event.mutable_submission()->set_queued(jobs);
  return event;
}

v1::SubmissionEvent Trace(v1::EvaluationStatus status, const std::string& log) {
  v1::SubmissionEvent event;
  event.mutable_trace()->set_id("tra-1");
  event.mutable_trace()->set_job_id("job-1");
  v1::Trace& trace = *event.mutable_trace()->mutable_trace();
  trace.set_solution("scale_cpp");
  trace.mutable_workload()->set_uuid("w1");
  trace.mutable_workload()->add_axes()->set_name("n");
  trace.mutable_workload()->mutable_axes(0)->set_value(8);
  trace.mutable_evaluation()->set_status(status);
  trace.mutable_evaluation()->set_log(log);
  return event;
}

v1::SubmissionEvent Job(v1::JobState state) {
  v1::SubmissionEvent event;
  event.mutable_job()->set_id("job-1");
  event.mutable_job()->set_solution("scale_cpp");
  event.mutable_job()->set_workload_uuid("w1");
  event.mutable_job()->set_state(state);
  return event;
}

class ReporterTest : public testing::Test {
 protected:
  void MakeText(TextReporterOptions options, bool terminal = false) {
    Console::Options console;
    console.out = &out_;
    console.err = &err_;
    console.err_is_terminal = terminal;
    console.width = 80;
    console_ = std::make_unique<Console>(console);
    reporter_ = MakeTextReporter(*console_, std::move(options));
  }

  void Show(const v1::SubmissionEvent& event) {
    tally_.Add(event);
    reporter_->Show(event, tally_);
  }

  std::ostringstream out_;
  std::ostringstream err_;
  std::unique_ptr<Console> console_;
  std::unique_ptr<Reporter> reporter_;
  Tally tally_;
};

TEST_F(ReporterTest, PassIsOneLine) {
  MakeText({});
  v1::SubmissionEvent event = Trace(v1::PASSED, "printed a\nb\n");
  v1::Evaluation& evaluation =
      *event.mutable_trace()->mutable_trace()->mutable_evaluation();
  evaluation.mutable_performance()->set_latency_ms(0.412);
  evaluation.mutable_performance()->set_speedup_factor(12.3);
  Show(Start(1));
  Show(event);
  EXPECT_EQ(out_.str(),
            "PASSED               scale_cpp  n=8    0.412 ms   12.3x\n");
}

TEST_F(ReporterTest, UnstablePassSaysSoBelow) {
  MakeText({});
  v1::SubmissionEvent event = Trace(v1::PASSED, "");
  v1::Performance& performance = *event.mutable_trace()
                                      ->mutable_trace()
                                      ->mutable_evaluation()
                                      ->mutable_performance();
  performance.set_latency_ms(0.412);
  performance.set_latency_p10_ms(0.4);
  performance.set_latency_p90_ms(0.75);
  performance.set_unstable(true);
  Show(Start(1));
  Show(event);
  EXPECT_EQ(out_.str(),
            "PASSED               scale_cpp  n=8    0.412 ms       -\n"
            "    unstable: 10% of the samples below 0.400 ms, 90% below 0.750 "
            "ms\n");
}

TEST_F(ReporterTest, FailureTellsWhyAndHowToSeeMore) {
  TextReporterOptions options;
  options.log_command = [](const std::string& id) { return "see " + id; };
  MakeText(std::move(options));
  Show(Start(1));
  Show(Trace(v1::RUNTIME_ERROR, "Traceback\nValueError: bad\n"));
  EXPECT_EQ(out_.str(),
            "RUNTIME_ERROR        scale_cpp  n=8\n"
            "    ValueError: bad\n"
            "    whole log: see tra-1\n");
}

TEST_F(ReporterTest, LogOfOneLineNeedsNoHint) {
  TextReporterOptions options;
  options.log_command = [](const std::string& id) { return "see " + id; };
  MakeText(std::move(options));
  Show(Trace(v1::TIMEOUT, "stopped after 30 s\n"));
  EXPECT_EQ(out_.str(),
            "TIMEOUT              scale_cpp  n=8\n    stopped after 30 s\n");
}

TEST_F(ReporterTest, WholeLogsOnRequest) {
  TextReporterOptions options;
  options.whole_logs = true;
  MakeText(std::move(options));
  Show(Start(1));
  Show(Trace(v1::COMPILE_ERROR, "a: error: x\n  b\n"));
  EXPECT_EQ(out_.str(),
            "COMPILE_ERROR        scale_cpp  n=8\n"
            "    a: error: x\n"
            "      b\n");
}

TEST_F(ReporterTest, FindingsAreShownWithTheirEffect) {
  MakeText({});
  v1::SubmissionEvent event = Trace(v1::RUNTIME_ERROR, "");
  v1::Evaluation& evaluation =
      *event.mutable_trace()->mutable_trace()->mutable_evaluation();
  v1::Finding* finding = evaluation.add_findings();
  finding->set_rule("clock_drift");
  finding->set_effect(v1::Finding::NOTE);
  finding = evaluation.add_findings();
  finding->set_rule("input_modified");
  finding->set_evidence("x changed");
  finding->set_effect(v1::Finding::FAIL);
  Show(event);
  EXPECT_THAT(out_.str(),
              HasSubstr("    finding: clock_drift (note): \n"
                        "    finding: input_modified (fail): x changed\n"));
}

TEST_F(ReporterTest, HeldResultSaysThatItWaits) {
  MakeText({});
  v1::SubmissionEvent event = Trace(v1::PASSED, "");
  event.mutable_trace()->set_review_state(v1::Review::PENDING);
  Show(event);
  EXPECT_THAT(
      out_.str(),
      HasSubstr("\n    held for review, does not rank until then: tra-1\n"));
  EXPECT_EQ(tally_.held(), 1);
}

TEST_F(ReporterTest, FailedResultSaysThatItsRevisionWaits) {
  MakeText({});
  v1::SubmissionEvent event = Trace(v1::RUNTIME_ERROR, "");
  event.mutable_trace()->set_review_state(v1::Review::PENDING);
  Show(event);
  EXPECT_THAT(
      out_.str(),
      HasSubstr("\n    held for review, no other result of this revision "
                "ranks here until then: tra-1\n"));
}

TEST_F(ReporterTest, RejectedResultSaysWhy) {
  MakeText({});
  v1::SubmissionEvent event = Trace(v1::PASSED, "");
  event.mutable_trace()->set_review_state(v1::Review::REJECTED);
  event.mutable_trace()->add_reviews()->set_reason("keeps the answers");
  Show(event);
  EXPECT_THAT(out_.str(), HasSubstr("does not rank: keeps the answers\n"));
}

TEST_F(ReporterTest, JobWithoutAVerdictNamesReasonAndWorkload) {
  TextReporterOptions options;
  options.labels.AddWorkload(Trace(v1::PASSED, "").trace().trace().workload());
  MakeText(std::move(options));
  v1::SubmissionEvent event = Job(v1::FAILED);
  event.mutable_job()->mutable_failure()->set_reason("REFERENCE_FAILED");
  event.mutable_job()->mutable_failure()->set_message("it raised");
  Show(Start(1));
  Show(event);
  EXPECT_EQ(out_.str(),
            "NO_VERDICT           scale_cpp  n=8  REFERENCE_FAILED\n"
            "    it raised\n");
}

TEST_F(ReporterTest, CancelledJob) {
  MakeText({});
  Show(Start(1));
  Show(Job(v1::CANCELLED));
  EXPECT_THAT(out_.str(), StartsWith("CANCELLED            scale_cpp"));
}

TEST_F(ReporterTest, ProgressTellsCountAndStage) {
  MakeText({}, /*terminal=*/true);
  Show(Start(2));
  v1::SubmissionEvent event = Job(v1::RUNNING);
  event.mutable_job()->set_stage(v1::MEASURE);
  Show(event);
  EXPECT_THAT(err_.str(), HasSubstr("[0/2] waiting for a worker"));
  EXPECT_THAT(err_.str(), HasSubstr("[0/2] measure scale_cpp w1"));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(ReporterTest, ProgressTellsWhyNothingHappens) {
  MakeText({}, /*terminal=*/true);
  Show(Start(1));
  v1::SubmissionEvent event = Job(v1::QUEUED);
  event.mutable_job()->set_note("no worker has cuda");
  Show(event);
  EXPECT_THAT(err_.str(), HasSubstr("[0/1] waiting: no worker has cuda"));
}

TEST_F(ReporterTest, ProgressTellsThePlaceInTheQueue) {
  MakeText({}, /*terminal=*/true);
  Show(Start(1));
  v1::SubmissionEvent event;
  event.mutable_queue()->set_position(2);
  event.mutable_queue()->set_jobs_ahead(5);
  Show(event);
  EXPECT_THAT(err_.str(), HasSubstr("[0/1] waiting: 2nd: 5 jobs go first"));
}

TEST_F(ReporterTest, JsonIsALineForEachEvent) {
  Console::Options options;
  options.out = &out_;
  options.err = &err_;
  console_ = std::make_unique<Console>(options);
  reporter_ = MakeJsonReporter(*console_);
  Show(Job(v1::QUEUED));
  Show(Trace(v1::PASSED, ""));
  EXPECT_THAT(out_.str(), StartsWith("{\"event\":{\"submission_id\":\"\""));
  EXPECT_THAT(out_.str(), HasSubstr("}}\n{\"event\":{"));
}

TEST(LabelsTest, UnknownWorkloadIsItsUuid) {
  EXPECT_EQ(Labels().Workload("w9"), "w9");
}

}  // namespace
}  // namespace assay
