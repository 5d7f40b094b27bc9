#include "server/rpc/open_calls.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;

class FakeCall : public OpenCalls::Call {
 public:
  void Stop(const absl::Status& status) override { stopped_ = status; }
  int max_open() const override { return 2; }

  const absl::Status& stopped() const { return stopped_; }

 private:
  absl::Status stopped_;
};

class OtherCall final : public FakeCall {};

class OpenCallsTest : public testing::Test {
 protected:
  template <typename Kind = FakeCall>
  std::shared_ptr<Kind> Open(const std::string& token) {
    auto call = std::make_shared<Kind>();
    calls_.Add(call, token);
    return call;
  }

  OpenCalls calls_;
};

TEST_F(OpenCallsTest, ATokenHasSoManyOfAKindAndNoMore) {
  const auto first = Open("a");
  const auto second = Open("a");
  EXPECT_OK(second->stopped());
  const auto third = Open("a");
  EXPECT_THAT(third->stopped(), StatusIs(absl::StatusCode::kResourceExhausted,
                                         HasSubstr("has 2 streams")));
  // Another kind, another token, and calls without one are counted apart.
  EXPECT_OK(Open<OtherCall>("a")->stopped());
  EXPECT_OK(Open("b")->stopped());
  EXPECT_OK(Open("")->stopped());
  // What was refused is not counted when it goes.
  calls_.Remove(third.get());
  EXPECT_FALSE(Open("a")->stopped().ok());
  calls_.Remove(first.get());
  EXPECT_OK(Open("a")->stopped());
  EXPECT_FALSE(Open("a")->stopped().ok());
}

TEST_F(OpenCallsTest, StopsThoseWhoseTokenIsRefused) {
  const auto kept = Open("kept");
  const auto revoked = Open("revoked");
  calls_.StopUnless([](const std::string& token) { return token == "kept"; },
                    absl::UnauthenticatedError("revoked"));
  EXPECT_OK(kept->stopped());
  EXPECT_THAT(revoked->stopped(),
              StatusIs(absl::StatusCode::kUnauthenticated, "revoked"));
}

TEST_F(OpenCallsTest, StopsAllAndThoseThatComeLater) {
  const auto open = Open("a");
  calls_.Stop();
  EXPECT_EQ(open->stopped().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Open("a")->stopped().code(), absl::StatusCode::kUnavailable);
  calls_.Remove(open.get());
}

}  // namespace
}  // namespace assay
