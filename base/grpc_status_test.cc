#include "base/grpc_status.h"

#include <gmock/gmock.h>
#include <grpcpp/support/status.h>
#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "base/status_testing.h"

namespace assay {
namespace {

TEST(GrpcStatusTest, OkStaysOk) {
  EXPECT_TRUE(ToGrpcStatus(absl::OkStatus()).ok());
  EXPECT_OK(FromGrpcStatus(grpc::Status::OK));
}

TEST(GrpcStatusTest, CodeAndMessageGoOut) {
  const grpc::Status status =
      ToGrpcStatus(absl::FailedPreconditionError("job \"a\" is finished"));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(status.error_message(), "job \"a\" is finished");
}

TEST(GrpcStatusTest, CodeAndMessageComeIn) {
  EXPECT_THAT(FromGrpcStatus(grpc::Status(grpc::StatusCode::UNAVAILABLE,
                                          "connection refused")),
              StatusIs(absl::StatusCode::kUnavailable, "connection refused"));
}

TEST(GrpcStatusTest, EveryErrorSurvivesTheRoundTrip) {
  for (int code = 1; code <= 16; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), "why");
    EXPECT_EQ(FromGrpcStatus(ToGrpcStatus(status)), status);
  }
}

}  // namespace
}  // namespace assay
