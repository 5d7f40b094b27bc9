// gRPC asks before every call, of whatever service, whether it may be made.

#ifndef ASSAY_SERVER_AUTH_CALL_CHECK_H_
#define ASSAY_SERVER_AUTH_CALL_CHECK_H_

#include <grpcpp/security/auth_metadata_processor.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_context.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay {

// `method` is the HTTP/2 path; `authorization` the value of that header, empty
// when it is missing or given twice. What is not OK ends the call before its
// service hears of it. Called on gRPC's threads: thread-safe, must not block.
using CallCheck = std::function<absl::Status(absl::string_view method,
                                             absl::string_view authorization)>;

// Credentials of a port without encryption. gRPC's own ones for that cannot
// check calls.
std::shared_ptr<grpc::ServerCredentials> ClearTextCredentials(CallCheck check);

// The same for credentials with encryption: hand it to
// ServerCredentials::SetAuthMetadataProcessor.
std::shared_ptr<grpc::AuthMetadataProcessor> MakeCallChecker(CallCheck check);

// Id of the token that a call came with; empty when it has none. To be believed
// where calls are asked for a token: then it has been checked.
std::string TokenIdOf(const grpc::ServerContextBase& context);

}  // namespace assay

#endif  // ASSAY_SERVER_AUTH_CALL_CHECK_H_
