#include "client/cli/report_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "client/cli/cli_testing.h"
#include "schema/schema_testing.h"
#include "schema/trace_set_writer.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A folder in which `scale_c` is four times as fast as the reference on a
// device, and twice as fast on another.
class ReportCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir dir, TempDir::Create("report-"));
    dir_ = std::make_unique<TempDir>(std::move(dir));
    TraceSet set;
    set.definitions = {{"", ScaleDefinition()}};
    set.solutions = {{"", ScaleSolution()}};
    for (const auto& [hardware, speedup] :
         {std::make_pair("Device A", 4.0), std::make_pair("Device B", 2.0)}) {
      v1::Trace trace = ScaleTrace();
      v1::Evaluation& evaluation = *trace.mutable_evaluation();
      evaluation.clear_findings();
      evaluation.mutable_environment()->set_hardware(hardware);
      evaluation.mutable_performance()->set_speedup_factor(speedup);
      set.traces.push_back({"", trace});
    }
    ASSERT_OK(WriteTraceSet(set, Path("set")));
  }

  std::string Path(const std::string& name) const {
    return absl::StrCat(dir_->path(), "/", name);
  }

  std::unique_ptr<TempDir> dir_;
};

TEST_F(ReportCommandTest, Summary) {
  const CliResult result = RunCli({"report", "summary", Path("set")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("2 traces: 2 PASSED"),
                                HasSubstr("Device A  assay      4.00x"),
                                HasSubstr("Device B  assay      2.00x")));
}

TEST_F(ReportCommandTest, BestIsToldForEachHardware) {
  const CliResult result = RunCli({"report", "best", Path("set")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("scale       Device A  scale_c        assay"),
                    HasSubstr("scale       Device B  scale_c        assay")));
}

TEST_F(ReportCommandTest, PictureHasABarForEachEntry) {
  const CliResult result = RunCli({"report", "visualize", Path("set")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("scale on Device A, 1 workload"),
                                HasSubstr("scale_c      4.00x  █████")));
}

TEST_F(ReportCommandTest, PageIsWritten) {
  const CliResult result =
      RunCli({"report", "visualize", Path("set"), "--html", Path("page.html")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(ReadFile(Path("page.html"), 1 << 20),
              IsOkAndHolds(HasSubstr("scale_c")));
}

TEST_F(ReportCommandTest, Json) {
  const CliResult result = RunCli({"report", "summary", Path("set"), "--json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("\"PASSED\": 2"),
                                HasSubstr("\"speedup_geomean\": 4.0")));
}

TEST_F(ReportCommandTest, EmptyAndBrokenFoldersAreToldApart) {
  ASSERT_OK(CreateDirectories(Path("empty/traces")));
  const CliResult empty = RunCli({"report", "best", Path("empty")});
  EXPECT_EQ(empty.code, 0) << empty.err;
  EXPECT_EQ(empty.out, "no results\n");
  const CliResult none = RunCli({"report", "best", Path("none")});
  EXPECT_NE(none.code, 0);
  EXPECT_THAT(none.err, HasSubstr("none"));
  ASSERT_OK(WriteFileAtomically(Path("set/traces/broken.jsonl"), "{\n"));
  const CliResult broken = RunCli({"report", "summary", Path("set")});
  EXPECT_EQ(broken.code, 0) << broken.err;
  EXPECT_THAT(broken.err, HasSubstr("1 problem in "));
  EXPECT_THAT(broken.out, HasSubstr("2 traces"));
}

TEST_F(ReportCommandTest, Merge) {
  const CliResult result = RunCli({"report", "merge", Path("set"), Path("set"),
                                   "--output", Path("merged")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 definition, 1 solution, 0 workloads, "
                                    "2 traces"));
}

}  // namespace
}  // namespace assay
