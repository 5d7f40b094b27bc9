#include "worker/runner/zygote_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <optional>
#include <utility>

#include "base/status_testing.h"
#include "worker/launcher/launcher_testing.h"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

constexpr absl::Duration kPatience = absl::Seconds(60);

// The process is one that says nothing; the test says what a zygote would.
class ZygoteConnectionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(launcher_, StartTestLauncher());
    ASSERT_OK_AND_ASSIGN(auto ends, SeqPacketSocket::Pair());
    zygote_end_.emplace(std::move(ends.second));
    ASSERT_OK(zygote_end_->Send("ready"));
    ASSERT_OK_AND_ASSIGN(auto log, LogCapture::Start());
    SpawnOptions options;
    options.argv = {"/bin/sleep", "1000"};
    ASSERT_OK_AND_ASSIGN(auto process, launcher_->Spawn(options));
    ASSERT_OK_AND_ASSIGN(
        connection_,
        ZygoteConnection::Connect(std::move(ends.first), std::move(process),
                                  std::move(log), kPatience));
  }

  std::unique_ptr<Launcher> launcher_;
  std::optional<SeqPacketSocket> zygote_end_;
  std::shared_ptr<ZygoteConnection> connection_;
};

TEST_F(ZygoteConnectionTest, EndsThoughTheZygotesEndIsStillOpen) {
  connection_.reset();
  EXPECT_THAT(zygote_end_->Receive(kPatience),
              StatusIs(absl::StatusCode::kUnavailable, testing::_));
}

TEST_F(ZygoteConnectionTest, GivesTheWaitStatusOfAChild) {
  // The child must be known when the zygote speaks of it.
  EXPECT_THAT(connection_->Wait(1, absl::ZeroDuration()),
              IsOkAndHolds(std::nullopt));
  ASSERT_OK(zygote_end_->Send("exited 1 256"));
  EXPECT_THAT(connection_->Wait(1, kPatience), IsOkAndHolds(Optional(256)));
}

TEST_F(ZygoteConnectionTest, LossOfTheZygoteIsNoFaultOfItsChildren) {
  connection_->KillAll();
  EXPECT_THAT(connection_->Wait(1, kPatience),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("killed by signal 9")));
}

TEST_F(ZygoteConnectionTest, ChildThatWasGivenUpWasKilledAndNoOther) {
  ASSERT_OK(connection_->Wait(1, absl::ZeroDuration()).status());
  connection_->GiveUp(1);
  EXPECT_FALSE(connection_->alive());
  EXPECT_THAT(connection_->Wait(1, kPatience), IsOkAndHolds(Optional(SIGKILL)));
  EXPECT_THAT(connection_->Wait(2, kPatience),
              StatusIs(absl::StatusCode::kUnavailable, testing::_));
}

TEST_F(ZygoteConnectionTest, LauncherThatIsGoneIsAnInfrastructureError) {
  launcher_.reset();
  connection_->KillAll();
  EXPECT_THAT(connection_->Wait(1, kPatience),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("launcher")));
}

TEST_F(ZygoteConnectionTest, ForkThatIsNotAnsweredIsADeadline) {
  EXPECT_THAT(connection_->Fork(0, 0, absl::Milliseconds(1)),
              StatusIs(absl::StatusCode::kDeadlineExceeded, testing::_));
}

}  // namespace
}  // namespace assay
