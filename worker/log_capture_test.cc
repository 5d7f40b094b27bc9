#include "worker/log_capture.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/status_testing.h"

namespace assay {
namespace {

std::string TextOf(BoundedLog log, absl::string_view data) {
  log.Append(data);
  return log.Text();
}

TEST(BoundedLogTest, KeepsWhatFits) {
  EXPECT_EQ(TextOf(BoundedLog(4, 6), "0123456789"), "0123456789");
}

TEST(BoundedLogTest, CutsTheMiddleAndSaysHowMuch) {
  EXPECT_EQ(TextOf(BoundedLog(4, 6), "0123xxx456789"),
            "0123\n… 3 bytes cut …\n456789");
}

TEST(BoundedLogTest, AppendsAddUp) {
  BoundedLog log(4, 6);
  for (int i = 0; i < 1000; ++i) log.Append("abc");
  EXPECT_EQ(log.Text(), "abca\n… 2990 bytes cut …\nabcabc");
}

TEST(BoundedLogTest, EmptyIsEmpty) { EXPECT_EQ(BoundedLog(4, 6).Text(), ""); }

TEST(BoundedLogTest, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(TextOf(BoundedLog(100, 100), "a\xFF\xC3(b"), "a\uFFFD\uFFFD(b");
}

TEST(BoundedLogTest, ReplacesOverlongFormsSurrogatesAndTooLargeValues) {
  for (const char* bytes : {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                            "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5"}) {
    const std::string text = TextOf(BoundedLog(100, 100), bytes);
    std::string expected;
    for (const char* c = bytes; *c != '\0'; ++c) expected += "\uFFFD";
    EXPECT_EQ(text, expected);
  }
}

TEST(BoundedLogTest, KeepsValidUtf8OfEveryLength) {
  const std::string text = "a\u00E9\u20AC\U0001F600\uD7FF\uE000\U0010FFFF";
  EXPECT_EQ(TextOf(BoundedLog(100, 100), text), text);
}

TEST(BoundedLogTest, ShowsNul) {
  EXPECT_EQ(TextOf(BoundedLog(100, 100), absl::string_view("a\0b", 3)),
            "a\u2400b");
}

TEST(BoundedLogTest, DoesNotCutThroughACharacter) {
  // Three bytes each: the head ends and the tail starts within one.
  EXPECT_EQ(TextOf(BoundedLog(4, 4), "€€€€"), "€\n… 6 bytes cut …\n€");
}

TEST(BoundedLogTest, ACharacterAcrossHeadAndTailStaysWhole) {
  EXPECT_EQ(TextOf(BoundedLog(4, 6), "€€€"), "€€€");
}

void Write(int fd, absl::string_view text) {
  ASSERT_EQ(write(fd, text.data(), text.size()),
            static_cast<ssize_t>(text.size()));
}

TEST(LogCaptureTest, ReturnsWhatWasWritten) {
  ASSERT_OK_AND_ASSIGN(const auto log, LogCapture::Start());
  Write(log->write_fd(), "hello\n");
  EXPECT_EQ(log->Finish(), "hello\n");
}

TEST(LogCaptureTest, FinishCanBeRepeated) {
  ASSERT_OK_AND_ASSIGN(const auto log, LogCapture::Start());
  Write(log->write_fd(), "hello\n");
  log->Finish();
  EXPECT_EQ(log->Finish(), "hello\n");
}

TEST(LogCaptureTest, WritersAreNotBlockedByALargeText) {
  ASSERT_OK_AND_ASSIGN(const auto log, LogCapture::Start());
  const std::string line = std::string(1023, 'x') + "\n";
  for (int i = 0; i < 1024; ++i) Write(log->write_fd(), line);
  EXPECT_THAT(
      log->Finish(),
      testing::HasSubstr(absl::StrCat(
          "\n… ", (1 << 20) - LogCapture::kHeadBytes - LogCapture::kTailBytes,
          " bytes cut …\n")));
}

TEST(LogCaptureTest, EndsAlthoughSomeoneHoldsThePipe) {
  ASSERT_OK_AND_ASSIGN(const auto log, LogCapture::Start());
  const UniqueFd holder(dup(log->write_fd()));
  Write(holder.get(), "first\n");
  EXPECT_EQ(log->Finish(), "first\n");
}

TEST(LogCaptureTest, AFinishedCaptureEndsItsWriters) {
  ASSERT_OK_AND_ASSIGN(auto log, LogCapture::Start());
  const UniqueFd holder(dup(log->write_fd()));
  log.reset();
  signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(write(holder.get(), "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
}

}  // namespace
}  // namespace assay
