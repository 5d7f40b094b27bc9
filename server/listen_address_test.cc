#include "server/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

TEST(ListenAddressTest, ParsesHostAndPort) {
  ASSERT_OK_AND_ASSIGN(const ListenAddress address,
                       ParseListenAddress("127.0.0.1:50051"));
  EXPECT_EQ(address.host, "127.0.0.1");
  EXPECT_EQ(address.port, 50051);
  EXPECT_EQ(address.WithPort(7), "127.0.0.1:7");
}

TEST(ListenAddressTest, ParsesIpV6InBrackets) {
  ASSERT_OK_AND_ASSIGN(const ListenAddress address,
                       ParseListenAddress("[::1]:0"));
  EXPECT_EQ(address.host, "::1");
  EXPECT_EQ(address.WithPort(7), "[::1]:7");
}

TEST(ListenAddressTest, ParsesUnixPath) {
  ASSERT_OK_AND_ASSIGN(const ListenAddress address,
                       ParseListenAddress("unix:/run/assay.sock"));
  EXPECT_EQ(address.unix_path, "/run/assay.sock");
  EXPECT_EQ(address.WithPort(1), "unix:/run/assay.sock");
}

TEST(ListenAddressTest, RefusesWhatIsNoAddress) {
  for (const char* text : {"", "localhost", ":50051", "host:", "host:port",
                           "host:65536", "host:-1", "::1:50051", "unix:"}) {
    EXPECT_THAT(ParseListenAddress(text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr(absl::StrCat("\"", text, "\""))))
        << text;
  }
}

TEST(ListenAddressTest, KnowsLoopback) {
  for (const auto& [text, loopback] : {std::pair{"127.0.0.1:1", true},
                                       {"127.8.0.1:1", true},
                                       {"localhost:1", true},
                                       {"[::1]:1", true},
                                       {"unix:/x", true},
                                       {"0.0.0.0:1", false},
                                       {"[::]:1", false},
                                       {"192.168.0.1:1", false},
                                       {"example.com:1", false}}) {
    ASSERT_OK_AND_ASSIGN(const ListenAddress address, ParseListenAddress(text));
    EXPECT_EQ(address.IsLoopback(), loopback) << text;
  }
}

TEST(ListenAddressTest, PortInUseIsToldInWords) {
  UniqueFd fd(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in name = {};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(name);
  ASSERT_EQ(bind(fd.get(), reinterpret_cast<sockaddr*>(&name), size), 0);
  ASSERT_EQ(listen(fd.get(), 1), 0);
  ASSERT_EQ(getsockname(fd.get(), reinterpret_cast<sockaddr*>(&name), &size),
            0);
  const std::string text = absl::StrCat("127.0.0.1:", ntohs(name.sin_port));
  ASSERT_OK_AND_ASSIGN(const ListenAddress address, ParseListenAddress(text));
  EXPECT_THAT(CheckCanListen(address),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       absl::StrCat("cannot listen on ", text,
                                    ": address already in use; stop the other "
                                    "program or choose another --listen")));
}

TEST(ListenAddressTest, AddressOfAnotherMachineIsRefused) {
  ASSERT_OK_AND_ASSIGN(const ListenAddress address,
                       ParseListenAddress("192.0.2.1:0"));
  EXPECT_THAT(CheckCanListen(address),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("cannot assign requested address")));
}

}  // namespace
}  // namespace assay
