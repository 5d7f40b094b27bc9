#include "server/lease/job_transitions.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

void Fail(JobRow& row, const v1::JobFailure& failure) {
  row.job.set_state(v1::FAILED);
  row.job.set_stage(v1::JOB_STAGE_UNSPECIFIED);
  *row.job.mutable_failure() = failure;
  row.held = false;
}

void BackToQueue(JobRow& row) {
  row.job.set_state(v1::QUEUED);
  row.job.set_stage(v1::JOB_STAGE_UNSPECIFIED);
  row.held = false;
}

}  // namespace

void Assign(JobRow& row, absl::string_view lease_id) {
  row.lease_id = std::string(lease_id);
  row.held = true;
  row.job.set_attempt(row.job.attempt() + 1);
  ++row.fence;
}

void Start(JobRow& row) {
  row.held = true;
  row.job.set_state(v1::RUNNING);
  row.job.set_stage(v1::ASSIGNED);
}

void Complete(JobRow& row, absl::string_view trace_id) {
  row.job.set_state(v1::COMPLETED);
  row.job.set_stage(v1::JOB_STAGE_UNSPECIFIED);
  row.job.set_trace_id(std::string(trace_id));
  row.held = false;
}

void Requeue(JobRow& row) {
  BackToQueue(row);
  row.lease_id.clear();
}

void FailAttempt(JobRow& row, absl::string_view worker_id,
                 const v1::JobFailure& failure, bool retryable) {
  ++row.failures;
  row.avoid_worker = std::string(worker_id);
  if (retryable && row.failures < kMaxFailures) {
    Requeue(row);
  } else {
    Fail(row, failure);
  }
}

bool HasBegun(const JobRow& row) {
  if (row.job.state() != v1::RUNNING) return false;
  switch (row.job.stage()) {
    case v1::JOB_STAGE_UNSPECIFIED:
    case v1::ASSIGNED:
    case v1::BUILD:
    case v1::WAITING:
      return false;
    default:
      return true;
  }
}

void LoseAttempt(JobRow& row, absl::string_view worker_id, bool blamed) {
  if (blamed) {
    ++row.failures;
    row.avoid_worker = std::string(worker_id);
  }
  if (row.failures < kMaxFailures) {
    BackToQueue(row);
    return;
  }
  v1::JobFailure failure;
  failure.set_reason("WORKER_LOST");
  failure.set_message(absl::StrCat("the worker was lost ", row.failures,
                                   " times while it had this job, "
                                   "last \"",
                                   worker_id,
                                   "\": see the log of that worker"));
  Fail(row, failure);
}

void Cancel(JobRow& row) {
  row.job.set_state(v1::CANCELLED);
  row.job.set_stage(v1::JOB_STAGE_UNSPECIFIED);
  row.held = false;
}

}  // namespace assay
