// Calls that are repeated until the coordinator answers.

#ifndef ASSAY_TESTS_CHAOS_RETRY_H_
#define ASSAY_TESTS_CHAOS_RETRY_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/grpc_status.h"

namespace assay::chaos {

inline constexpr absl::Duration kRetryPause = absl::Milliseconds(100);

// True for an error that goes away by itself: nobody answers, or there is no
// room.
inline bool IsPassing(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) ||
         absl::IsResourceExhausted(status) || absl::IsCancelled(status);
}

// A channel that looks for a coordinator that went away twice a second.
inline std::shared_ptr<grpc::Channel> ConnectPatiently(
    const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 500);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 500);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
}

// Repeats the call, which must be safe to repeat, until it is answered. Waits
// for `patience` for each answer.
template <typename Stub, typename Request, typename Response>
absl::StatusOr<Response> CallUntilAnswered(
    Stub& stub,
    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                 Response*),
    const Request& request, absl::Duration patience) {
  while (true) {
    grpc::ClientContext context;
    context.set_deadline(absl::ToChronoTime(absl::Now() + patience));
    Response response;
    const absl::Status status =
        FromGrpcStatus((stub.*method)(&context, request, &response));
    if (status.ok()) return response;
    if (!IsPassing(status)) return status;
    absl::SleepFor(kRetryPause);
  }
}

}  // namespace assay::chaos

#endif  // ASSAY_TESTS_CHAOS_RETRY_H_
