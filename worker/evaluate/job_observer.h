// What an evaluation says to whoever holds its lease.

#ifndef ASSAY_WORKER_EVALUATE_JOB_OBSERVER_H_
#define ASSAY_WORKER_EVALUATE_JOB_OBSERVER_H_

#include "absl/strings/string_view.h"
#include "assay/v1/worker_service.pb.h"

namespace assay {

// Who is told of the progress and asked whether to go on. Thread-safe.
class JobObserver {
 public:
  virtual ~JobObserver() = default;
  virtual void ReportStage(const v1::LeasedJob& job, v1::JobStage stage) = 0;
  virtual void ReportCompleted(const v1::LeasedJob& job,
                               v1::Evaluation evaluation) = 0;
  virtual void ReportFailed(const v1::LeasedJob& job, v1::JobFailure failure,
                            bool retryable) = 0;
  // A job that was called off is not being worked on any more.
  virtual void ReportStopped(const v1::LeasedJob& job) = 0;
  // Whether the job is not to be worked on, now or any more. Of a job that is
  // off nothing is reported but that it was stopped.
  virtual bool IsOff(absl::string_view job_id) const = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_JOB_OBSERVER_H_
