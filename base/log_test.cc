#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_split.h"

namespace assay {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;

// What `log` writes to standard error.
std::string Logged(const std::function<void()>& log) {
  testing::internal::CaptureStderr();
  log();
  return testing::internal::GetCapturedStderr();
}

class LogTest : public testing::Test {
 protected:
  ~LogTest() override { SetLogThreshold(LogSeverity::kInfo); }
};

TEST_F(LogTest, ALineHasTimeSeverityEventAndFields) {
  EXPECT_THAT(
      Logged([] {
        LogInfo("lease acquired", {{"lease", "lea-1"}, {"jobs", 4}});
      }),
      MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
                   "\\.[0-9]{6}Z I lease acquired lease=lea-1 jobs=4\n"));
}

TEST_F(LogTest, EachSeverityHasItsLetter) {
  SetLogThreshold(LogSeverity::kDebug);
  EXPECT_THAT(Logged([] { LogDebug("x"); }), HasSubstr("Z D x\n"));
  EXPECT_THAT(Logged([] { LogInfo("x"); }), HasSubstr("Z I x\n"));
  EXPECT_THAT(Logged([] { LogWarning("x"); }), HasSubstr("Z W x\n"));
  EXPECT_THAT(Logged([] { LogError("x"); }), HasSubstr("Z E x\n"));
}

TEST_F(LogTest, DebugIsOffByDefault) {
  EXPECT_EQ(Logged([] { LogDebug("x"); }), "");
}

TEST_F(LogTest, LinesBelowTheThresholdAreDropped) {
  SetLogThreshold(LogSeverity::kError);
  EXPECT_EQ(Logged([] { LogWarning("x"); }), "");
  EXPECT_NE(Logged([] { LogError("x"); }), "");
}

TEST_F(LogTest, ValuesThatWouldNotParseBackAreQuoted) {
  const struct {
    std::string value;
    std::string written;
  } cases[] = {
      {"plain-1.5/x", "k=plain-1.5/x\n"},
      {"", "k=\"\"\n"},
      {"two words", "k=\"two words\"\n"},
      {"a=b", "k=\"a=b\"\n"},
      {"say \"hi\"", "k=\"say \\\"hi\\\"\"\n"},
      {"line\nbreak", "k=\"line\\nbreak\"\n"},
      {"\x1b[31m", "k=\"\\033[31m\"\n"},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(Logged([&c] {
                  LogInfo("x", {{"k", c.value}});
                }),
                EndsWith(" x " + c.written));
  }
}

TEST_F(LogTest, LinesOfSeveralThreadsStayWhole) {
  const std::string output = Logged([] {
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        for (int j = 0; j < 50; ++j) LogInfo("event", {{"key", "value"}});
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  const std::vector<std::string> lines =
      absl::StrSplit(output, '\n', absl::SkipEmpty());
  EXPECT_EQ(lines.size(), 200U);
  EXPECT_THAT(lines, testing::Each(EndsWith("Z I event key=value")));
}

}  // namespace
}  // namespace assay
