#include "server/rpc/stream_sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace assay {
namespace {

using ::testing::ElementsAre;

// Notes what it is asked to send.
struct FakeReactor {
  void StartWrite(const int* message) { sent.push_back(*message); }
  void Finish(const grpc::Status& status) { end = status; }

  std::vector<int> sent;
  grpc::Status end{grpc::StatusCode::UNKNOWN, "not finished"};
};

// Of even numbers the larger one says all.
struct LargerEven {
  bool operator()(int later, int waiting) const {
    return later % 2 == 0 && waiting % 2 == 0 && later > waiting;
  }
};

TEST(StreamSenderTest, SendsInOrderOneAtATime) {
  FakeReactor reactor;
  StreamSender<FakeReactor, int> sender(reactor);
  sender.Send(1);
  sender.Send(2);
  EXPECT_THAT(reactor.sent, ElementsAre(1));
  sender.OnWriteDone(true);
  sender.Finish(absl::OkStatus());
  EXPECT_THAT(reactor.sent, ElementsAre(1, 2));
  EXPECT_FALSE(reactor.end.ok());
  sender.OnWriteDone(true);
  EXPECT_TRUE(reactor.end.ok());
}

TEST(StreamSenderTest, OneMessageGoesInThePlaceOfThoseItSupersedes) {
  FakeReactor reactor;
  StreamSender<FakeReactor, int, LargerEven> sender(reactor);
  for (const int message : {2, 4, 6, 7, 8, 10}) sender.Send(message);
  for (int i = 0; i < 6; ++i) sender.OnWriteDone(true);
  // The first was under way; nothing overtakes the 7.
  EXPECT_THAT(reactor.sent, ElementsAre(2, 6, 7, 10));
}

}  // namespace
}  // namespace assay
