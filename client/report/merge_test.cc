#include "client/report/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "schema/schema_testing.h"
#include "schema/trace_set_writer.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MergeTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir dir, TempDir::Create("merge-"));
    dir_ = std::make_unique<TempDir>(std::move(dir));
  }

  std::string Path(const std::string& name) const {
    return absl::StrCat(dir_->path(), "/", name);
  }

  // A folder of that name with `set`, as it is read back.
  TraceSet Folder(const std::string& name, const TraceSet& set) {
    EXPECT_OK(WriteTraceSet(set, Path(name)));
    absl::StatusOr<TraceSet> read = ReadTraceSet(Path(name));
    EXPECT_OK(read);
    return read.ok() ? *std::move(read) : TraceSet();
  }

  static TraceSet Scale() {
    TraceSet set;
    set.definitions = {{"", ScaleDefinition()}};
    set.solutions = {{"", ScaleSolution()}};
    v1::Trace workload;
    workload.set_definition("scale");
    *workload.mutable_workload() = ScaleWorkload();
    set.workloads = {{"", workload}};
    set.traces = {{"", ScaleTrace()}};
    return set;
  }

  std::unique_ptr<TempDir> dir_;
};

TEST_F(MergeTest, WhatIsTheSameIsThereOnce) {
  TraceSet more = Scale();
  v1::Trace later = ScaleTrace();
  later.mutable_evaluation()->mutable_timestamp()->set_seconds(4000000000);
  more.traces.push_back({"", later});
  v1::Solution other = ScaleSolution();
  other.set_name("other");
  more.solutions.push_back({"", other});
  ASSERT_OK_AND_ASSIGN(
      const MergeReport report,
      MergeTraceSets({Folder("a", Scale()), Folder("b", more)}, Path("out")));
  EXPECT_EQ(report.definitions, 1);
  EXPECT_EQ(report.solutions, 2);
  EXPECT_EQ(report.workloads, 1);
  EXPECT_EQ(report.traces, 2);
  ASSERT_OK_AND_ASSIGN(const TraceSet merged, ReadTraceSet(Path("out")));
  EXPECT_THAT(merged.problems, IsEmpty());
  EXPECT_EQ(merged.solutions.size(), 2u);
  EXPECT_EQ(merged.traces.size(), 2u);
}

TEST_F(MergeTest, ConflictsNameBothPlacesAndWriteNothing) {
  TraceSet other = Scale();
  other.definitions[0].value.set_description("another");
  const TraceSet a = Folder("a", Scale());
  const TraceSet b = Folder("b", other);
  EXPECT_THAT(MergeTraceSets({a, b}, Path("out")),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("the definition \"scale\" differs"),
                             HasSubstr("/a/definitions/scale/scale.json"),
                             HasSubstr("/b/definitions/scale/scale.json"))));
  EXPECT_THAT(ReadTraceSet(Path("out")),
              StatusIs(absl::StatusCode::kNotFound, _));
}

TEST_F(MergeTest, AFolderThatIsNotEmptyIsRefused) {
  const TraceSet a = Folder("a", Scale());
  EXPECT_THAT(MergeTraceSets({a}, Path("a")),
              StatusIs(absl::StatusCode::kAlreadyExists, _));
}

}  // namespace
}  // namespace assay
