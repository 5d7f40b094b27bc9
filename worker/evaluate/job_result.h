// What comes of a job: a verdict about the solution, or the reason why there is
// none.

#ifndef ASSAY_WORKER_EVALUATE_JOB_RESULT_H_
#define ASSAY_WORKER_EVALUATE_JOB_RESULT_H_

#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/evaluation_service.pb.h"

namespace assay {

// No verdict, and not the solution's fault.
struct JobFault {
  v1::JobFailure failure;
  // Whether another attempt, perhaps elsewhere, may go better.
  bool retryable = false;
};

using JobResult = std::variant<v1::Evaluation, JobFault>;

// Words of v1::JobFailure::reason.
inline constexpr absl::string_view kReferenceFailed = "REFERENCE_FAILED";
inline constexpr absl::string_view kWorkloadInvalid = "WORKLOAD_INVALID";
inline constexpr absl::string_view kInputUnavailable = "INPUT_UNAVAILABLE";
inline constexpr absl::string_view kOutOfMemory = "OUT_OF_MEMORY";
inline constexpr absl::string_view kWorkerError = "WORKER_ERROR";

// A fault that every worker would run into again.
inline JobFault FinalFault(absl::string_view reason, std::string message) {
  JobFault fault;
  fault.failure.set_reason(std::string(reason));
  fault.failure.set_message(std::move(message));
  return fault;
}

// A fault of this worker or this moment.
inline JobFault WorkerFault(const absl::Status& status) {
  JobFault fault = FinalFault(kWorkerError, std::string(status.message()));
  fault.retryable = true;
  return fault;
}

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_JOB_RESULT_H_
