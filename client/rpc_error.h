// Errors of calls to the coordinator, in words for the person who made them.

#ifndef ASSAY_CLIENT_RPC_ERROR_H_
#define ASSAY_CLIENT_RPC_ERROR_H_

#include <grpcpp/support/status.h>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay {

// `status` as absl::Status. What the coordinator answered is passed on; what
// kept the call from reaching it, or the answer from coming back, is told with
// the address and what to do.
absl::Status DescribeRpcError(const grpc::Status& status,
                              absl::string_view address);

}  // namespace assay

#endif  // ASSAY_CLIENT_RPC_ERROR_H_
