#include "client/rpc_error.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/grpc_status.h"

namespace assay {
namespace {

// gRPC's transport reports causes as a chain of sentences; the last one, or
// what precedes its technical annex, is the one that a person knows.
std::string TransportCause(absl::string_view message) {
  constexpr struct {
    absl::string_view sign;
    absl::string_view cause;
  } kKnown[] = {
      {"onnection refused", "connection refused"},
      {"DNS resolution failed", "no such host"},
      {"No such file or directory", "no such socket"},
      {"ermission denied", "permission denied"},
      {"o route to host", "no route to host"},
      {"etwork is unreachable", "network is unreachable"},
      {"onnection timed out", "connection timed out"},
      {"onnection reset", "connection reset"},
      {"ocket closed", "connection closed"},
      {"GOAWAY", "connection closed"},
      {"Broken pipe", "connection closed"},
  };
  for (const auto& known : kKnown) {
    if (absl::StrContains(message, known.sign)) return std::string(known.cause);
  }
  return "";
}

bool IsTransportFailure(absl::string_view message) {
  return absl::StrContains(message, "failed to connect") ||
         !TransportCause(message).empty();
}

}  // namespace

absl::Status DescribeRpcError(const grpc::Status& status,
                              absl::string_view address) {
  const absl::Status plain = FromGrpcStatus(status);
  const absl::string_view message = plain.message();
  if (plain.code() == absl::StatusCode::kUnavailable &&
      IsTransportFailure(message)) {
    const std::string cause = TransportCause(message);
    return absl::UnavailableError(absl::StrCat(
        "cannot reach the coordinator at ", address, ": ",
        cause.empty() ? absl::string_view("connection failed") : cause,
        "; start it with assay-coordinator or name another with --server"));
  }
  // The text that gRPC itself gives; a coordinator's own says more.
  if (plain.code() == absl::StatusCode::kDeadlineExceeded &&
      absl::EqualsIgnoreCase(message, "deadline exceeded")) {
    return absl::DeadlineExceededError(absl::StrCat(
        "the coordinator at ", address,
        " did not answer in time; see its log, or name another with "
        "--server"));
  }
  if (plain.code() == absl::StatusCode::kUnimplemented && message.empty()) {
    return absl::UnimplementedError(
        absl::StrCat("the server at ", address,
                     " does not know this call; it is no Assay coordinator, or "
                     "an older one"));
  }
  return plain;
}

}  // namespace assay
