#include "client/cli/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

TEST(UnitsTest, Latency) {
  struct Case {
    double milliseconds;
    const char* want;
  };
  const Case cases[] = {
      {0.00123456, "0.00123 ms"},
      {0.0412345, "0.0412 ms"},
      {0.41234, "0.412 ms"},
      {0.9996, "1.00 ms"},
      {1.5, "1.50 ms"},
      {12.34, "12.3 ms"},
      {99.96, "100 ms"},
      {4120.4, "4120 ms"},
      {0, "-"},
      {-1, "-"},
      {std::nan(""), "-"},
      {std::numeric_limits<double>::infinity(), "-"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(FormatLatency(c.milliseconds), c.want) << c.milliseconds;
  }
}

TEST(UnitsTest, Share) {
  EXPECT_EQ(FormatShare(1), "100%");
  EXPECT_EQ(FormatShare(0.9999999), "99.99%");
  EXPECT_EQ(FormatShare(0.5), "50.00%");
  EXPECT_EQ(FormatShare(1e-9), "0.01%");
  EXPECT_EQ(FormatShare(0), "0%");
  EXPECT_EQ(FormatShare(std::nan("")), "nan");
}

TEST(UnitsTest, Speedup) {
  EXPECT_EQ(FormatSpeedup(12.345), "12.3x");
  EXPECT_EQ(FormatSpeedup(1), "1.00x");
  EXPECT_EQ(FormatSpeedup(0.976), "0.98x");
  EXPECT_EQ(FormatSpeedup(0.8), "0.80x");
  EXPECT_EQ(FormatSpeedup(0.0123), "0.012x");
  EXPECT_EQ(FormatSpeedup(1234.5), "1234x");
  EXPECT_EQ(FormatSpeedup(0), "-");
  EXPECT_EQ(FormatSpeedup(std::nan("")), "-");
}

TEST(UnitsTest, Error) {
  EXPECT_EQ(FormatError(0), "0");
  EXPECT_EQ(FormatError(0.00213), "2.1e-03");
  EXPECT_EQ(FormatError(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(FormatError(std::nan("")), "nan");
}

TEST(UnitsTest, Bytes) {
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(1023), "1023 B");
  EXPECT_EQ(FormatBytes(1536), "1.5 KiB");
  EXPECT_EQ(FormatBytes(int64_t{2} << 30), "2.0 GiB");
  EXPECT_EQ(FormatBytes(int64_t{3} << 40), "3.0 TiB");
}

TEST(UnitsTest, Elapsed) {
  EXPECT_EQ(FormatElapsed(absl::Milliseconds(420)), "0.42 s");
  EXPECT_EQ(FormatElapsed(absl::Seconds(12.34)), "12.3 s");
  EXPECT_EQ(FormatElapsed(absl::Seconds(125)), "2 min 5 s");
}

TEST(UnitsTest, Time) {
  EXPECT_EQ(FormatTime(1769860800123456), "2026-01-31 12:00:00");
  EXPECT_EQ(FormatTime(0), "-");
}

TEST(UnitsTest, ParsesDurations) {
  EXPECT_THAT(ParseDuration("30"), IsOkAndHolds(absl::Seconds(30)));
  EXPECT_THAT(ParseDuration("0.5"), IsOkAndHolds(absl::Milliseconds(500)));
  EXPECT_THAT(ParseDuration("250ms"), IsOkAndHolds(absl::Milliseconds(250)));
  EXPECT_THAT(ParseDuration("1h30m"), IsOkAndHolds(absl::Minutes(90)));
}

TEST(UnitsTest, RefusesOtherDurations) {
  for (const char* text :
       {"", "0", "-3", "-3s", "soon", "3 parsecs", "inf", "nan", "1e999"}) {
    EXPECT_THAT(ParseDuration(text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr(std::string("\"") + text + "\"")))
        << text;
  }
}

}  // namespace
}  // namespace assay
