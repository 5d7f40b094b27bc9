#include "base/seqpacket.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr absl::Duration kPatience = absl::Seconds(60);

class SeqPacketTest : public ::testing::Test {
 protected:
  SeqPacketTest() {
    auto ends = SeqPacketSocket::Pair().value();
    a_ = std::make_unique<SeqPacketSocket>(std::move(ends.first));
    b_ = std::make_unique<SeqPacketSocket>(std::move(ends.second));
  }

  std::unique_ptr<SeqPacketSocket> a_;
  std::unique_ptr<SeqPacketSocket> b_;
};

TEST_F(SeqPacketTest, KeepsMessagesApart) {
  ASSERT_OK(a_->Send("one"));
  ASSERT_OK(a_->Send("two"));
  EXPECT_EQ(b_->Receive(kPatience)->data, "one");
  EXPECT_EQ(b_->Receive(kPatience)->data, "two");
}

TEST_F(SeqPacketTest, WorksBothWays) {
  ASSERT_OK(a_->Send("there"));
  ASSERT_OK(b_->Send("back"));
  EXPECT_EQ(b_->Receive(kPatience)->data, "there");
  EXPECT_EQ(a_->Receive(kPatience)->data, "back");
}

TEST_F(SeqPacketTest, CarriesAnyBytes) {
  const std::string data("\0\xff\0", 3);
  ASSERT_OK(a_->Send(data));
  EXPECT_EQ(b_->Receive(kPatience)->data, data);
}

TEST_F(SeqPacketTest, CarriesDescriptorsInOrder) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd first, CreateMemFd("first", 1));
  ASSERT_OK_AND_ASSIGN(const UniqueFd second, CreateMemFd("second", 2));
  ASSERT_OK(a_->Send("two", {first.get(), second.get()}));
  ASSERT_OK_AND_ASSIGN(const Packet packet, b_->Receive(kPatience));
  ASSERT_THAT(packet.fds, SizeIs(2));
  EXPECT_EQ(lseek(packet.fds[0].get(), 0, SEEK_END), 1);
  EXPECT_EQ(lseek(packet.fds[1].get(), 0, SEEK_END), 2);
  EXPECT_EQ(fcntl(packet.fds[0].get(), F_GETFD), FD_CLOEXEC);
}

TEST_F(SeqPacketTest, CarriesTheLargestNumberOfDescriptors) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("fd", 1));
  ASSERT_OK(
      a_->Send("many", std::vector<int>(SeqPacketSocket::kMaxFds, fd.get())));
  EXPECT_THAT(b_->Receive(kPatience)->fds, SizeIs(SeqPacketSocket::kMaxFds));
}

TEST_F(SeqPacketTest, TooManyDescriptorsAreRefused) {
  EXPECT_THAT(a_->Send("x", std::vector<int>(SeqPacketSocket::kMaxFds + 1, 0)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("17")));
}

TEST_F(SeqPacketTest, TooLongMessageIsRefused) {
  EXPECT_THAT(a_->Send(std::string(SeqPacketSocket::kMaxMessageBytes + 1, 'x')),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("over the limit")));
}

TEST_F(SeqPacketTest, SaysWhoSent) {
  const pid_t child = fork();
  if (child == 0) _exit(send(a_->fd(), "hi", 2, 0) == 2 ? 0 : 1);
  ASSERT_OK_AND_ASSIGN(const Packet packet, b_->Receive(kPatience));
  EXPECT_EQ(packet.sender_pid, child);
  int status;
  waitpid(child, &status, 0);
}

TEST_F(SeqPacketTest, SilenceIsADeadline) {
  EXPECT_THAT(b_->Receive(absl::ZeroDuration()),
              StatusIs(absl::StatusCode::kDeadlineExceeded, testing::_));
}

TEST_F(SeqPacketTest, HungUpPeerIsUnavailable) {
  a_.reset();
  EXPECT_THAT(b_->Receive(kPatience),
              StatusIs(absl::StatusCode::kUnavailable, testing::_));
  EXPECT_THAT(b_->Send("x"),
              StatusIs(absl::StatusCode::kUnavailable, testing::_));
}

TEST_F(SeqPacketTest, MessagesBeforeTheEndAreStillRead) {
  ASSERT_OK(a_->Send("last words"));
  a_.reset();
  EXPECT_EQ(b_->Receive(kPatience)->data, "last words");
  EXPECT_THAT(b_->Receive(kPatience),
              StatusIs(absl::StatusCode::kUnavailable, testing::_));
}

TEST_F(SeqPacketTest, PeerThatDiedWithAnUnreadMessageIsUnavailable) {
  ASSERT_OK(b_->Send("never read"));
  a_.reset();
  EXPECT_THAT(b_->Receive(kPatience),
              StatusIs(absl::StatusCode::kUnavailable, testing::_));
}

TEST_F(SeqPacketTest, MessageThatWasCutIsAnError) {
  const std::string data(SeqPacketSocket::kMaxMessageBytes + 1, 'x');
  ASSERT_EQ(send(a_->fd(), data.data(), data.size(), 0),
            static_cast<ssize_t>(data.size()));
  EXPECT_THAT(b_->Receive(kPatience),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cut")));
}

// Sends a message as a hostile process may: of no bytes, or with more
// descriptors than SeqPacketSocket sends.
void SendRaw(int socket, std::string data, size_t fd_count) {
  const std::vector<int> fds(fd_count, 0);
  std::string control(CMSG_SPACE(fds.size() * sizeof(int)), '\0');
  iovec part = {data.data(), data.size()};
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  cmsghdr* rights = CMSG_FIRSTHDR(&header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
  std::memcpy(CMSG_DATA(rights), fds.data(), fds.size() * sizeof(int));
  ASSERT_EQ(sendmsg(socket, &header, 0), static_cast<ssize_t>(data.size()));
}

TEST_F(SeqPacketTest, DescriptorsOfAMessageThatWasCutAreNotLeaked) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd probe, Duplicate(0));
  // More than fit into what Receive has room for.
  SendRaw(a_->fd(), "x", SeqPacketSocket::kMaxFds + 8);
  EXPECT_THAT(b_->Receive(kPatience),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::_));
  ASSERT_OK_AND_ASSIGN(const UniqueFd after, Duplicate(0));
  EXPECT_EQ(after.get(), probe.get() + 1);
}

TEST_F(SeqPacketTest, ProcessWithoutFreeDescriptorsIsToldSo) {
  rlimit old_limit;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &old_limit), 0);
  ASSERT_OK_AND_ASSIGN(const UniqueFd probe, Duplicate(0));
  ASSERT_OK(a_->Send("x", {0, 0}));
  // One of the two fits.
  const rlimit limit = {static_cast<rlim_t>(probe.get()) + 2,
                        old_limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  const auto received = b_->Receive(kPatience);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &old_limit), 0);
  EXPECT_THAT(received, StatusIs(absl::StatusCode::kResourceExhausted,
                                 HasSubstr("too many open files")));
  ASSERT_OK_AND_ASSIGN(const UniqueFd after, Duplicate(0));
  EXPECT_EQ(after.get(), probe.get() + 1);
}

TEST_F(SeqPacketTest, DescriptorsOfAnEmptyMessageAreNotLeaked) {
  ASSERT_OK_AND_ASSIGN(const UniqueFd probe, Duplicate(0));
  SendRaw(a_->fd(), "", 3);
  EXPECT_THAT(b_->Receive(kPatience),
              StatusIs(absl::StatusCode::kUnavailable, testing::_));
  ASSERT_OK_AND_ASSIGN(const UniqueFd after, Duplicate(0));
  EXPECT_EQ(after.get(), probe.get() + 1);
}

TEST_F(SeqPacketTest, PeerThatReadsNothingIsADeadline) {
  absl::Status sent;
  // Far more than any buffer holds.
  for (int i = 0; i < 100000 && sent.ok(); ++i) {
    sent = a_->Send(std::string(10000, 'x'), {}, absl::Milliseconds(1));
  }
  EXPECT_THAT(sent, StatusIs(absl::StatusCode::kDeadlineExceeded,
                             HasSubstr("took no message")));
}

TEST_F(SeqPacketTest, SendGoesOnWhenThePeerHasReadAll) {
  const std::string message(10000, 'x');
  int sent = 0;
  while (a_->Send(message, {}, absl::ZeroDuration()).ok()) ++sent;
  std::thread reader([this, sent] {
    for (int i = 0; i <= sent; ++i) EXPECT_OK(b_->Receive(kPatience));
  });
  EXPECT_OK(a_->Send(message, {}, kPatience));
  reader.join();
}

TEST_F(SeqPacketTest, MessageThatTheHostDoesNotCarryIsRefusedWithItsSize) {
  const int bytes = 4096;
  ASSERT_EQ(setsockopt(a_->fd(), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)),
            0);
  EXPECT_THAT(
      a_->Send(std::string(100000, 'x')),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("100000 bytes"), HasSubstr("wmem_max"))));
}

}  // namespace
}  // namespace assay
