#include "schema/trace_set.h"

#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/status_testing.h"
#include "schema/golden_testing.h"
#include "schema/json.h"
#include "schema/pack.h"
#include "schema/schema_testing.h"
#include "schema/validate_testing.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

template <typename T>
std::vector<std::string> Origins(const std::vector<TraceSetItem<T>>& items) {
  std::vector<std::string> origins;
  for (const auto& item : items) origins.push_back(item.origin);
  return origins;
}

class ReadTraceSetTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir temp, TempDir::Create("assay-set-"));
    temp_ = std::make_unique<TempDir>(std::move(temp));
    ASSERT_OK(CreateDirectories(Path("definitions")));
  }

  std::string Path(const std::string& relative) const {
    return temp_->path() + "/" + relative;
  }
  void Write(const std::string& relative, const std::string& content) {
    const std::string path = Path(relative);
    ASSERT_OK(CreateDirectories(path.substr(0, path.rfind('/'))));
    ASSERT_OK(WriteFileAtomically(path, content));
  }
  TraceSet Read() {
    absl::StatusOr<TraceSet> set = ReadTraceSet(temp_->path());
    EXPECT_OK(set);
    return set.ok() ? *std::move(set) : TraceSet();
  }

  static std::string DefinitionWithout(const std::string& reference) {
    v1::Definition definition = ScaleDefinition();
    std::string text = DefinitionToJson(definition);
    const size_t start = text.find(",\"" + reference);
    return text.substr(0, start) + "}";
  }

  std::unique_ptr<TempDir> temp_;
};

TEST_F(ReadTraceSetTest, ReadsTheGoldenSet) {
  CopyGoldenTraceSet(Path("golden"));
  ASSERT_OK_AND_ASSIGN(const TraceSet set, ReadTraceSet(Path("golden")));
  EXPECT_THAT(Texts(set.problems), IsEmpty());
  EXPECT_THAT(Origins(set.definitions),
              ElementsAre("definitions/scale/scale_rows_h4.json"));
  EXPECT_THAT(
      Origins(set.solutions),
      ElementsAre(
          "solutions/assay/scale/scale_rows_h4/scale_rows_cpp.json",
          "solutions/assay/scale/scale_rows_h4/scale_rows_python.json"));
  EXPECT_THAT(Origins(set.workloads),
              ElementsAre("workloads/scale/scale_rows_h4.jsonl:1",
                          "workloads/scale/scale_rows_h4.jsonl:2"));
  EXPECT_THAT(set.traces, SizeIs(3));
  EXPECT_EQ(set.traces[1].value.evaluation().status(), v1::INCORRECT_NUMERICAL);
}

TEST_F(ReadTraceSetTest, AnEmptySetIsFine) {
  const TraceSet set = Read();
  EXPECT_THAT(set.definitions, IsEmpty());
  EXPECT_THAT(Texts(set.problems), IsEmpty());
  EXPECT_EQ(set.root, temp_->path());
}

TEST_F(ReadTraceSetTest, FoldersThatAreNoTraceSet) {
  EXPECT_THAT(ReadTraceSet(Path("none")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("none")));
  ASSERT_OK(CreateDirectories(Path("other")));
  EXPECT_THAT(ReadTraceSet(Path("other")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("is no trace set")));
}

TEST_F(ReadTraceSetTest, AReferenceBesideTheDefinition) {
  Write("definitions/scale/scale.json", DefinitionWithout("reference"));
  Write("definitions/scale/scale.py", "def run(x, factor): pass\n");
  const TraceSet set = Read();
  EXPECT_THAT(Texts(set.problems), IsEmpty());
  ASSERT_THAT(set.definitions, SizeIs(1));
  EXPECT_EQ(set.definitions[0].value.reference(), "def run(x, factor): pass\n");
}

TEST_F(ReadTraceSetTest, AMissingReferenceIsAProblem) {
  Write("definitions/scale/scale.json", DefinitionWithout("reference"));
  const TraceSet set = Read();
  EXPECT_THAT(set.definitions, IsEmpty());
  EXPECT_THAT(set.problems,
              OnlyProblem("definitions/scale/scale.json: has no member "
                          "\"reference\" and there is no "
                          "\"definitions/scale/scale.py\" instead"));
}

TEST_F(ReadTraceSetTest, AnUnpackedSolutionOwnsItsFolder) {
  v1::Solution solution = ScaleSolution();
  v1::SourceFile& data = *solution.add_sources();
  data.set_path("table/data.json");
  data.set_content("[1, 2]");
  ASSERT_OK(UnpackSolution(solution, Path("solutions/a/scale_c")));
  Write("solutions/a/packed.json", SolutionToJson(ScaleSolution()));
  const TraceSet set = Read();
  EXPECT_THAT(Texts(set.problems), IsEmpty());
  EXPECT_THAT(Origins(set.solutions),
              ElementsAre("solutions/a/packed.json",
                          "solutions/a/scale_c/solution.json"));
  EXPECT_EQ(SolutionToJson(set.solutions[1].value), SolutionToJson(solution));
}

TEST_F(ReadTraceSetTest, APackedSolutionMayBeCalledSolution) {
  Write("solutions/a/solution.json", SolutionToJson(ScaleSolution()));
  Write("solutions/a/other.json", SolutionToJson(ScaleSolution()));
  EXPECT_THAT(
      Origins(Read().solutions),
      ElementsAre("solutions/a/other.json", "solutions/a/solution.json"));
}

TEST_F(ReadTraceSetTest, BrokenFilesDoNotStopTheRest) {
  Write("definitions/a.json", "{");
  Write("definitions/b.json", DefinitionToJson(ScaleDefinition()));
  Write("definitions/c.json", R"({"name": 1})");
  const TraceSet set = Read();
  EXPECT_THAT(Origins(set.definitions), ElementsAre("definitions/b.json"));
  EXPECT_THAT(Texts(set.problems),
              ElementsAre(HasSubstr("definitions/a.json: line 1, column 2"),
                          HasSubstr("definitions/c.json: $.name: must be")));
}

TEST_F(ReadTraceSetTest, LinesAreCountedAndBrokenOnesNamed) {
  v1::Trace workload;
  workload.set_definition("scale");
  *workload.mutable_workload() = ScaleWorkload();
  const std::string line = TraceToJson(workload);
  Write("workloads/scale.jsonl",
        line + "\n\n  \r\nnot json\n" + line + "\r\n" + line);
  const TraceSet set = Read();
  EXPECT_THAT(Origins(set.workloads),
              ElementsAre("workloads/scale.jsonl:1", "workloads/scale.jsonl:5",
                          "workloads/scale.jsonl:6"));
  EXPECT_THAT(set.problems,
              OnlyProblem("workloads/scale.jsonl:4: line 1, column 2"));
}

TEST_F(ReadTraceSetTest, TracesBelongInTheirOwnFolder) {
  Write("workloads/scale.jsonl", TraceToJson(ScaleTrace()));
  v1::Trace workload = ScaleTrace();
  workload.clear_solution();
  workload.clear_evaluation();
  Write("traces/scale.jsonl", TraceToJson(workload));
  EXPECT_THAT(Texts(Read().problems),
              ElementsAre(HasSubstr("move it to \"traces\""),
                          HasSubstr("move it to \"workloads\"")));
}

TEST_F(ReadTraceSetTest, NothingOutsideTheRootIsRead) {
  ASSERT_OK_AND_ASSIGN(const TempDir outside, TempDir::Create("assay-out-"));
  const std::string secret = outside.path() + "/secret.json";
  ASSERT_OK(WriteFileAtomically(secret, DefinitionToJson(ScaleDefinition())));
  ASSERT_EQ(symlink(secret.c_str(), Path("definitions/a.json").c_str()), 0);
  ASSERT_EQ(symlink(outside.path().c_str(), Path("definitions/b").c_str()), 0);
  const TraceSet set = Read();
  EXPECT_THAT(set.definitions, IsEmpty());
  EXPECT_THAT(Texts(set.problems),
              ElementsAre(HasSubstr("definitions/b: is a symbolic link"),
                          HasSubstr("definitions/a.json: \"definitions/a.json\""
                                    " leads out of the folder")));
}

TEST_F(ReadTraceSetTest, OddFilesAreProblems) {
  ASSERT_EQ(mkfifo(Path("definitions/fifo.json").c_str(), 0600), 0);
  ASSERT_EQ(symlink("loop.json", Path("definitions/loop.json").c_str()), 0);
  ASSERT_OK(CreateDirectories(Path("definitions/folder.json")));
  const TraceSet set = Read();
  EXPECT_THAT(Texts(set.problems),
              ElementsAre(HasSubstr("definitions/fifo.json: "),
                          HasSubstr("definitions/loop.json: ")));
}

}  // namespace
}  // namespace assay
