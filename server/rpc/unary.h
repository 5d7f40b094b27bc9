// Unary handlers in three lines:
//
//   grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
//   store_.Read<v1::Job>(work, Answer(reactor, response));
//   return reactor;

#ifndef ASSAY_SERVER_RPC_UNARY_H_
#define ASSAY_SERVER_RPC_UNARY_H_

#include <grpcpp/support/server_callback.h>

#include <cstdint>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/grpc_status.h"

namespace assay {

// Finishes the call with a result, once.
template <typename T>
std::function<void(absl::StatusOr<T>)> Answer(grpc::ServerUnaryReactor* reactor,
                                              T* response) {
  return [reactor, response](absl::StatusOr<T> result) {
    if (result.ok()) *response = *std::move(result);
    reactor->Finish(ToGrpcStatus(result.status()));
  };
}

// Refuses the call.
inline grpc::ServerUnaryReactor* Refuse(grpc::CallbackServerContext* context,
                                        const absl::Status& status) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpcStatus(status));
  return reactor;
}

// Refuses the call for now. gRPC's clients that repeat calls wait for as long
// as the trailer says.
inline grpc::ServerUnaryReactor* RefuseFor(grpc::CallbackServerContext* context,
                                           absl::string_view what,
                                           absl::Duration delay) {
  const int64_t milliseconds =
      absl::ToInt64Milliseconds(absl::Ceil(delay, absl::Milliseconds(1)));
  context->AddTrailingMetadata("grpc-retry-pushback-ms",
                               absl::StrCat(milliseconds));
  return Refuse(context,
                absl::ResourceExhaustedError(absl::StrCat(
                    what, ": try again in ",
                    absl::FormatDuration(absl::Milliseconds(milliseconds)))));
}

}  // namespace assay

#endif  // ASSAY_SERVER_RPC_UNARY_H_
