#include "client/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(AddressTest, AcceptsWhatGrpcCanDial) {
  for (const char* address :
       {"127.0.0.1:50051", "gpu-node-3:1", "[::1]:65535", "unix:/run/a.sock"}) {
    EXPECT_OK(CheckServerAddress(address)) << address;
  }
}

TEST(AddressTest, RefusesOthersWithTheReason) {
  struct Case {
    const char* address;
    const char* reason;
  };
  const Case cases[] = {
      {"localhost", "no port"},
      {"", "no port"},
      {":50051", "no host"},
      {"host:", "from 1 to 65535"},
      {"host:0", "from 1 to 65535"},
      {"host:65536", "from 1 to 65535"},
      {"host:http", "from 1 to 65535"},
      {"::1:50051", "needs brackets"},
      {"http://host:50051", "it is a URL"},
      {"unix:run/a.sock", "must be absolute"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(CheckServerAddress(c.address),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(c.reason),
                               HasSubstr(std::string("\"") + c.address + "\""),
                               HasSubstr("use HOST:PORT or unix:/PATH"))))
        << c.address;
  }
}

class ResolveTest : public testing::Test {
 protected:
  void SetUp() override { unsetenv(kServerAddressVariable); }
  void TearDown() override { unsetenv(kServerAddressVariable); }
};

TEST_F(ResolveTest, FlagGoesBeforeTheEnvironment) {
  setenv(kServerAddressVariable, "env:1", 1);
  EXPECT_THAT(ResolveServerAddress("flag:2"), IsOkAndHolds("flag:2"));
}

TEST_F(ResolveTest, EnvironmentGoesBeforeTheDefault) {
  setenv(kServerAddressVariable, "env:1", 1);
  EXPECT_THAT(ResolveServerAddress(""), IsOkAndHolds("env:1"));
}

TEST_F(ResolveTest, DefaultIsLoopback) {
  setenv(kServerAddressVariable, "", 1);
  EXPECT_THAT(ResolveServerAddress(""), IsOkAndHolds("127.0.0.1:50051"));
}

TEST_F(ResolveTest, ErrorNamesWhereTheValueCameFrom) {
  setenv(kServerAddressVariable, "nowhere", 1);
  EXPECT_THAT(ResolveServerAddress(""),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       StartsWith("ASSAY_SERVER: ")));
  EXPECT_THAT(
      ResolveServerAddress("nowhere"),
      StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("--server: ")));
}

}  // namespace
}  // namespace assay
