#include "server/readiness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/status_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class ReadinessTest : public testing::Test {
 protected:
  void Advance(absl::Duration step) {
    clock_.Advance(step);
    readiness_.Tick();
  }

  FakeClock clock_;
  std::vector<Readiness::Done> probes_;
  Readiness readiness_{clock_, [this](Readiness::Done done) {
                         probes_.push_back(std::move(done));
                       }};
};

TEST_F(ReadinessTest, IsReadyFromTheStart) {
  readiness_.Tick();
  EXPECT_THAT(probes_, SizeIs(0));
  EXPECT_OK(readiness_.Check());
}

TEST_F(ReadinessTest, ProbesOncePerInterval) {
  Advance(Readiness::kProbeInterval);
  ASSERT_THAT(probes_, SizeIs(1));
  probes_[0](absl::OkStatus());
  readiness_.Tick();
  EXPECT_THAT(probes_, SizeIs(1));
  Advance(Readiness::kProbeInterval);
  EXPECT_THAT(probes_, SizeIs(2));
}

TEST_F(ReadinessTest, FailedWriteIsToldUntilOneSucceeds) {
  Advance(Readiness::kProbeInterval);
  probes_[0](absl::ResourceExhaustedError("disk full"));
  EXPECT_THAT(readiness_.Check(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("disk full")));
  Advance(Readiness::kProbeInterval);
  probes_[1](absl::OkStatus());
  EXPECT_OK(readiness_.Check());
}

TEST_F(ReadinessTest, StuckWriteIsToldUntilItEnds) {
  Advance(Readiness::kProbeInterval);
  Advance(Readiness::kProbePatience);
  EXPECT_OK(readiness_.Check());
  Advance(absl::Seconds(1));
  EXPECT_THAT(readiness_.Check(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("11s")));
  // One at a time.
  ASSERT_THAT(probes_, SizeIs(1));
  probes_[0](absl::OkStatus());
  EXPECT_OK(readiness_.Check());
}

}  // namespace
}  // namespace assay
