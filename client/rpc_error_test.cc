#include "client/rpc_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

TEST(RpcErrorTest, RefusedConnectionNamesAddressAndRemedy) {
  const grpc::Status status(
      grpc::StatusCode::UNAVAILABLE,
      "failed to connect to all addresses; last error: UNKNOWN: "
      "ipv4:127.0.0.1:50051: Failed to connect to remote host: Connection "
      "refused");
  EXPECT_THAT(
      DescribeRpcError(status, "127.0.0.1:50051"),
      StatusIs(absl::StatusCode::kUnavailable,
               "cannot reach the coordinator at 127.0.0.1:50051: connection "
               "refused; start it with assay-coordinator or name another with "
               "--server"));
}

TEST(RpcErrorTest, TransportCausesAreTranslated) {
  struct Case {
    const char* message;
    const char* cause;
  };
  const Case cases[] = {
      {"DNS resolution failed for x:1: C-ares status is not ARES_SUCCESS",
       ": no such host;"},
      {"failed to connect to all addresses; last error: UNKNOWN: unix:/x: No "
       "such file or directory",
       ": no such socket;"},
      {"Socket closed", ": connection closed;"},
      {"recvmsg:Connection reset by peer", ": connection reset;"},
      {"failed to connect to all addresses", ": connection failed;"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(
        DescribeRpcError({grpc::StatusCode::UNAVAILABLE, c.message}, "x:1"),
        StatusIs(absl::StatusCode::kUnavailable, HasSubstr(c.cause)))
        << c.message;
  }
}

TEST(RpcErrorTest, CoordinatorsOwnUnavailableIsPassedOn) {
  EXPECT_THAT(
      DescribeRpcError(
          {grpc::StatusCode::UNAVAILABLE, "the coordinator is stopping"},
          "x:1"),
      StatusIs(absl::StatusCode::kUnavailable, "the coordinator is stopping"));
}

TEST(RpcErrorTest, DeadlineNamesTheAddress) {
  EXPECT_THAT(
      DescribeRpcError(
          {grpc::StatusCode::DEADLINE_EXCEEDED, "Deadline Exceeded"}, "x:1"),
      StatusIs(absl::StatusCode::kDeadlineExceeded,
               HasSubstr("the coordinator at x:1 did not answer in time")));
}

TEST(RpcErrorTest, UnknownServiceSaysWhatTheServerIsNot) {
  EXPECT_THAT(DescribeRpcError({grpc::StatusCode::UNIMPLEMENTED, ""}, "x:1"),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("no Assay coordinator")));
}

TEST(RpcErrorTest, AnswersArePassedOn) {
  EXPECT_THAT(DescribeRpcError(
                  {grpc::StatusCode::NOT_FOUND, "no solution \"a\""}, "x:1"),
              StatusIs(absl::StatusCode::kNotFound, "no solution \"a\""));
  EXPECT_OK(DescribeRpcError(grpc::Status::OK, "x:1"));
}

}  // namespace
}  // namespace assay
