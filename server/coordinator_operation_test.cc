// What those who run a coordinator see of it.

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "base/file.h"
#include "base/grpc_status.h"
#include "base/status_testing.h"
#include "server/coordinator.h"
#include "server/coordinator_fixture_testing.h"
#include "server/readiness.h"
#include "server/store/sqlite.h"

namespace assay {
namespace {

namespace asio = boost::asio;
using testing::HasSubstr;
using testing::StartsWith;

class CoordinatorOperationTest : public CoordinatorTest {
 protected:
  // The whole answer, with its head.
  std::string Get(const std::string& path) {
    const std::string address = test_.coordinator().http_address();
    const size_t colon = address.rfind(':');
    asio::io_context io;
    asio::ip::tcp::socket socket(io);
    asio::ip::tcp::resolver resolver(io);
    asio::connect(socket, resolver.resolve(address.substr(0, colon),
                                           address.substr(colon + 1)));
    asio::write(socket,
                asio::buffer(absl::StrCat("GET ", path,
                                          " HTTP/1.1\r\nHost: test\r\n"
                                          "Connection: close\r\n\r\n")));
    std::string answer;
    boost::system::error_code end;
    asio::read(socket, asio::dynamic_buffer(answer), end);
    return answer;
  }

  // What gRPC's health service answers: 1 for serving, 2 for not. Its messages
  // are written out, as nobody packages their proto.
  int Health(const std::string& service) {
    const std::string text =
        service.empty()
            ? ""
            : absl::StrCat("\x0a", std::string(1, service.size()), service);
    const grpc::Slice slice(text);
    const grpc::ByteBuffer request(&slice, 1);
    grpc::ByteBuffer response;
    grpc::GenericStub stub(test_.channel());
    grpc::ClientContext context;
    absl::Notification done;
    grpc::Status status;
    stub.UnaryCall(&context, "/grpc.health.v1.Health/Check",
                   grpc::StubOptions(), &request, &response,
                   [&](grpc::Status result) {
                     status = std::move(result);
                     done.Notify();
                   });
    done.WaitForNotification();
    EXPECT_OK(FromGrpcStatus(status));
    grpc::Slice answer;
    EXPECT_TRUE(response.DumpToSingleSlice(&answer).ok());
    if (answer.size() != 2 || answer.begin()[0] != 0x08) return -1;
    return answer.begin()[1];
  }
  static constexpr int kServing = 1;
  static constexpr int kNotServing = 2;
};

TEST_F(CoordinatorOperationTest, IsAliveAndReady) {
  EXPECT_THAT(Get("/healthz"), StartsWith("HTTP/1.1 200 OK"));
  EXPECT_THAT(Get("/readyz"), StartsWith("HTTP/1.1 200 OK"));
  EXPECT_THAT(Get("/"), StartsWith("HTTP/1.1 404"));
}

TEST_F(CoordinatorOperationTest, MetricsTellOfTheirCalls) {
  ASSERT_OK(test_.Call<v1::AdminService>(&v1::AdminService::Stub::GetServerInfo,
                                         v1::GetServerInfoRequest()));
  v1::GetSubmissionRequest unknown;
  unknown.set_id("sub-none");
  EXPECT_FALSE(test_
                   .Call<v1::EvaluationService>(
                       &v1::EvaluationService::Stub::GetSubmission, unknown)
                   .ok());
  // A call is counted when all of it is gone, shortly after its answer.
  std::string text;
  for (int i = 0; i < 1000 && !absl::StrContains(text, "NOT_FOUND"); ++i) {
    absl::SleepFor(absl::Milliseconds(10));
    text = Get("/metrics");
  }
  EXPECT_THAT(text, HasSubstr("Content-Type: text/plain; version=0.0.4"));
  EXPECT_THAT(text, HasSubstr("assay_rpc_ended_total{code=\"OK\",method=\"/"
                              "assay.v1.AdminService/GetServerInfo\"} 1"));
  EXPECT_THAT(text,
              HasSubstr("assay_rpc_ended_total{code=\"NOT_FOUND\",method=\"/"
                        "assay.v1.EvaluationService/GetSubmission\"} 1"));
}

TEST_F(CoordinatorOperationTest, MetricsTellOfJobsAndWorkers) {
  Populate();
  ASSERT_OK(Register());
  Submit();
  std::string text = Get("/metrics");
  EXPECT_THAT(text, HasSubstr("assay_jobs{state=\"waiting\"} 2"));
  EXPECT_THAT(text, HasSubstr("assay_workers{state=\"idle\"} 1"));
  const v1::Lease lease = AcquireLease();
  text = Get("/metrics");
  EXPECT_THAT(text, HasSubstr("assay_jobs{state=\"waiting\"} 0"));
  EXPECT_THAT(text, HasSubstr("assay_jobs{state=\"running\"} 2"));
  EXPECT_THAT(text, HasSubstr("assay_leases_active 1"));
  EXPECT_THAT(text, HasSubstr("assay_workers{state=\"busy\"} 1"));
  RunToEnd(lease, SampleEvaluation());
  text = Get("/metrics");
  EXPECT_THAT(text, HasSubstr("assay_jobs{state=\"running\"} 0"));
  EXPECT_THAT(text, HasSubstr("assay_evaluations_total{status=\"PASSED\"} 2"));
  EXPECT_THAT(text, HasSubstr("assay_jobs_ended_total{state=\"completed\"} 2"));
}

TEST_F(CoordinatorOperationTest, ExpiredLeasesAreCounted) {
  Populate();
  ASSERT_OK(Register());
  Submit();
  AcquireLease();
  test_.Advance(absl::Minutes(1));
  EXPECT_THAT(Get("/metrics"), HasSubstr("assay_leases_expired_total 1"));
}

TEST_F(CoordinatorOperationTest, StoreThatTakesNoWritesIsNotReady) {
  ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<Database> other,
      Database::Open(test_.store_path(), Database::Mode::kReadWriteCreate));
  ASSERT_OK(other->Execute("BEGIN IMMEDIATE"));
  test_.Advance(Readiness::kProbeInterval);
  test_.Advance(Readiness::kProbePatience + absl::Seconds(1));
  EXPECT_THAT(Get("/readyz"), StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(Get("/readyz"), HasSubstr("the store"));
  EXPECT_THAT(Get("/healthz"), StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(Health(""), kNotServing);
  EXPECT_EQ(Health("liveness"), kServing);

  ASSERT_OK(other->Execute("ROLLBACK"));
  std::string answer;
  for (int i = 0; i < 1000 && !absl::StrContains(answer, "200 OK"); ++i) {
    absl::SleepFor(absl::Milliseconds(10));
    test_.Advance(Readiness::kProbeInterval);
    answer = Get("/readyz");
  }
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  test_.Advance(absl::ZeroDuration());
  EXPECT_EQ(Health(""), kServing);
}

TEST(CoordinatorHttpTest, OpenAddressHasToBeAskedFor) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-http-"));
  Coordinator::Options options;
  options.listen = "127.0.0.1:0";
  options.http_listen = "0.0.0.0:0";
  options.store_path = folder.path() + "/assay.db";
  EXPECT_THAT(Coordinator::Start(options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("--http \"0.0.0.0:0\"")));
  options.http_insecure = true;
  EXPECT_OK(Coordinator::Start(options));
}

}  // namespace
}  // namespace assay
