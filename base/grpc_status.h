// absl::Status and grpc::Status have the same codes; this is where they meet.

#ifndef ASSAY_BASE_GRPC_STATUS_H_
#define ASSAY_BASE_GRPC_STATUS_H_

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace assay {

grpc::Status ToGrpcStatus(const absl::Status& status);
absl::Status FromGrpcStatus(const grpc::Status& status);

}  // namespace assay

#endif  // ASSAY_BASE_GRPC_STATUS_H_
