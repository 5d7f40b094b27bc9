#include "base/loopback.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(LoopbackTest, AddressesOfThisMachine) {
  for (const char* host : {"localhost", "127.0.0.1", "127.1.2.3", "::1"}) {
    EXPECT_TRUE(IsLoopbackHost(host)) << host;
  }
  for (const char* address : {"localhost:1", "127.0.0.1:50051", "[::1]:50051",
                              "unix:/run/assay.sock"}) {
    EXPECT_TRUE(IsLoopbackAddress(address)) << address;
  }
}

TEST(LoopbackTest, OtherAddresses) {
  for (const char* host :
       {"", "0.0.0.0", "10.0.0.1", "::", "example.org", "127.0.0.1.example.org",
        "localhost.example.org", "128.0.0.1", "::ffff:10.0.0.1"}) {
    EXPECT_FALSE(IsLoopbackHost(host)) << host;
  }
  for (const char* address :
       {"", "localhost", "example.org:1", "0.0.0.0:50051", "[::]:50051"}) {
    EXPECT_FALSE(IsLoopbackAddress(address)) << address;
  }
}

}  // namespace
}  // namespace assay
