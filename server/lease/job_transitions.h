// How a job moves. Each function changes a row in memory; the caller saves it.

#ifndef ASSAY_SERVER_LEASE_JOB_TRANSITIONS_H_
#define ASSAY_SERVER_LEASE_JOB_TRANSITIONS_H_

#include "absl/strings/string_view.h"
#include "assay/v1/evaluation_service.pb.h"
#include "server/store/job_table.h"

namespace assay {

// A job is given up after this many attempts that failed or were lost.
inline constexpr int kMaxFailures = 3;

// Gives a waiting job to a lease: attempt and fence grow.
void Assign(JobRow& row, absl::string_view lease_id);

// The worker has accepted the lease.
void Start(JobRow& row);

// There is a verdict.
void Complete(JobRow& row, absl::string_view trace_id);

// Back to its old place in the queue; nobody is to blame.
void Requeue(JobRow& row);

// The worker could not evaluate it. Back to the queue when `retryable` and not
// tried too often, else FAILED.
void FailAttempt(JobRow& row, absl::string_view worker_id,
                 const v1::JobFailure& failure, bool retryable);

// True when the worker was at work on this very job. BUILD does not count: it
// is reported for every job of the lease before the one build of all of them;
// nor does WAITING, for the device that works on another job.
bool HasBegun(const JobRow& row);

// The worker was lost. A job that may be what killed it is `blamed`, and is
// given up when that came too often. The lease keeps its claim on a job that
// goes back until another one takes it.
void LoseAttempt(JobRow& row, absl::string_view worker_id, bool blamed);

// Someone wants no result any more.
void Cancel(JobRow& row);

}  // namespace assay

#endif  // ASSAY_SERVER_LEASE_JOB_TRANSITIONS_H_
