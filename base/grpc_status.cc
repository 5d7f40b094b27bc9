#include "base/grpc_status.h"

#include <string>

namespace assay {
namespace {

// The conversion is a cast: these hold it in place.
#define ASSAY_SAME_CODE(absl_code, grpc_code)                    \
  static_assert(static_cast<int>(absl::StatusCode::absl_code) == \
                static_cast<int>(grpc::StatusCode::grpc_code))
ASSAY_SAME_CODE(kOk, OK);
ASSAY_SAME_CODE(kCancelled, CANCELLED);
ASSAY_SAME_CODE(kUnknown, UNKNOWN);
ASSAY_SAME_CODE(kInvalidArgument, INVALID_ARGUMENT);
ASSAY_SAME_CODE(kDeadlineExceeded, DEADLINE_EXCEEDED);
ASSAY_SAME_CODE(kNotFound, NOT_FOUND);
ASSAY_SAME_CODE(kAlreadyExists, ALREADY_EXISTS);
ASSAY_SAME_CODE(kPermissionDenied, PERMISSION_DENIED);
ASSAY_SAME_CODE(kResourceExhausted, RESOURCE_EXHAUSTED);
ASSAY_SAME_CODE(kFailedPrecondition, FAILED_PRECONDITION);
ASSAY_SAME_CODE(kAborted, ABORTED);
ASSAY_SAME_CODE(kOutOfRange, OUT_OF_RANGE);
ASSAY_SAME_CODE(kUnimplemented, UNIMPLEMENTED);
ASSAY_SAME_CODE(kInternal, INTERNAL);
ASSAY_SAME_CODE(kUnavailable, UNAVAILABLE);
ASSAY_SAME_CODE(kDataLoss, DATA_LOSS);
ASSAY_SAME_CODE(kUnauthenticated, UNAUTHENTICATED);
#undef ASSAY_SAME_CODE

}  // namespace

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  // gRPC carries the message percent-encoded in headers of at most 8 KiB, and
  // loses the whole status when it does not fit.
  constexpr size_t kMaxMessageBytes = 2000;
  std::string message(status.message().substr(0, kMaxMessageBytes));
  if (message.size() < status.message().size()) message += "...";
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), message);
}

absl::Status FromGrpcStatus(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                      status.error_message());
}

}  // namespace assay
