#include "client/cli/tally.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

v1::SubmissionEvent Start(int queued, int completed) {
  v1::SubmissionEvent event;
  event.mutable_submission()->set_queued(queued);
  event.mutable_submission()->set_completed(completed);
  return event;
}

v1::SubmissionEvent Job(const std::string& id, v1::JobState state) {
  v1::SubmissionEvent event;
  event.mutable_job()->set_id(id);
  event.mutable_job()->set_state(state);
  return event;
}

v1::SubmissionEvent Trace(const std::string& job, v1::EvaluationStatus status) {
  v1::SubmissionEvent event;
  event.mutable_trace()->set_job_id(job);
  event.mutable_trace()->mutable_trace()->mutable_evaluation()->set_status(
      status);
  return event;
}

TEST(TallyTest, FollowsJobsFromStartToEnd) {
  Tally tally;
  tally.Add(Start(2, 1));
  tally.Add(Trace("0", v1::PASSED));
  tally.Add(Job("1", v1::RUNNING));
  tally.Add(Job("1", v1::RUNNING));
  tally.Add(Job("2", v1::RUNNING));
  EXPECT_EQ(tally.total(), 3);
  EXPECT_EQ(tally.running(), 2);
  EXPECT_EQ(tally.ended(), 1);
  tally.Add(Trace("1", v1::TIMEOUT));
  tally.Add(Job("2", v1::QUEUED));
  EXPECT_EQ(tally.running(), 0);
  EXPECT_EQ(tally.ended(), 2);
  EXPECT_EQ(tally.outcomes().by_status.at(v1::TIMEOUT), 1);
}

TEST(TallyTest, HeldTracesAreCounted) {
  Tally tally;
  tally.Add(Start(1, 0));
  v1::SubmissionEvent event = Trace("0", v1::PASSED);
  event.mutable_trace()->set_review_state(v1::Review::PENDING);
  tally.Add(event);
  EXPECT_EQ(tally.Summary(), "1 evaluation: 1 passed; 1 held for review");
}

TEST(TallyTest, DoneEventChangesNothing) {
  Tally tally;
  v1::SubmissionEvent event;
  event.mutable_done()->set_completed(5);
  tally.Add(event);
  EXPECT_EQ(tally.total(), 0);
}

TEST(TallyTest, SummaryNamesWhatThereIs) {
  Tally tally;
  EXPECT_EQ(tally.Summary(), "0 evaluations");
  tally.Add(Trace("1", v1::PASSED));
  EXPECT_EQ(tally.Summary(), "1 evaluation: 1 passed");
  tally.Add(Trace("2", v1::INCORRECT_NUMERICAL));
  tally.Add(Trace("6", v1::INCORRECT_NUMERICAL));
  tally.Add(Trace("7", v1::TIMEOUT));
  tally.Add(Trace("8", v1::TIMEOUT));
  tally.Add(Job("3", v1::FAILED));
  tally.Add(Job("4", v1::CANCELLED));
  tally.Add(Job("5", v1::CANCELLED));
  EXPECT_EQ(tally.Summary(),
            "5 evaluations: 1 passed, 2 incorrect numerical, 2 timeouts; 1 job "
            "without a verdict; 2 jobs cancelled");
}

}  // namespace
}  // namespace assay
