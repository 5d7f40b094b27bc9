#include "worker/proc_stat.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace assay {
namespace {

// A line as the kernel writes it.
std::string Line(absl::string_view name, char state, int threads) {
  return absl::StrCat("41 (", name, ") ", std::string(1, state),
                      " 40 41 41 0 -1 4194560 6921 69605 2 20 2 3 48 12 20 0 ",
                      threads, " 0 62728 5246976 960\n");
}

TEST(ParseProcStatTest, ReadsWhatItNeeds) {
  const auto stat = ParseProcStat(Line("sleep", 'S', 3));
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(stat->name, "sleep");
  EXPECT_EQ(stat->state, 'S');
  EXPECT_EQ(stat->parent, 40);
  EXPECT_EQ(stat->threads, 3);
  const absl::Duration tick = absl::Seconds(1) / sysconf(_SC_CLK_TCK);
  EXPECT_EQ(stat->cpu_time, 5 * tick);
  EXPECT_EQ(stat->children_cpu_time, 60 * tick);
  EXPECT_EQ(stat->start_time, 62728);
  EXPECT_FALSE(stat->is_over());
}

TEST(ParseProcStatTest, NamesCannotPassForFields) {
  const auto stat = ParseProcStat(Line("a) Z 1 (b", 'R', 1));
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(stat->name, "a) Z 1 (b");
  EXPECT_EQ(stat->state, 'R');
}

TEST(ParseProcStatTest, ProcessIsOverWhenItsLastThreadIs) {
  EXPECT_TRUE(ParseProcStat(Line("x", 'Z', 1))->is_over());
  EXPECT_FALSE(ParseProcStat(Line("x", 'Z', 2))->is_over());
}

TEST(ParseProcStatTest, OtherTextIsNone) {
  EXPECT_FALSE(ParseProcStat("").has_value());
  EXPECT_FALSE(ParseProcStat("41 sleep S 40").has_value());
  EXPECT_FALSE(ParseProcStat(")(").has_value());
  EXPECT_FALSE(ParseProcStat("41 (sleep) S 40 41").has_value());
}

TEST(ReadProcFileTest, ReadsThisProcess) {
  const auto text = ReadProcFile(AT_FDCWD, "/proc/self/stat");
  ASSERT_TRUE(text.has_value());
  const auto stat = ParseProcStat(*text);
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(stat->parent, getppid());
  EXPECT_EQ(stat->state, 'R');
}

TEST(ReadProcFileTest, MissingFileIsNone) {
  EXPECT_FALSE(ReadProcFile(AT_FDCWD, "/proc/self/missing").has_value());
}

}  // namespace
}  // namespace assay
