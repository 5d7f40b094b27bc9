#include "client/cli/solution_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kPacked[] = R"({
  "name": "s", "definition": "d", "author": "a",
  "spec": {"language": "python", "target_hardware": ["cpu"],
           "entry_point": "main.py::run"},
  "sources": [{"path": "main.py", "content": "packed"}]
})";
constexpr char kUnpacked[] = R"({
  "name": "s", "definition": "d", "author": "a",
  "spec": {"language": "python", "target_hardware": ["cpu"],
           "entry_point": "main.py::run"},
  "sources": [{"path": "main.py"}]
})";

class SolutionSourceTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir dir, TempDir::Create("solution-source-"));
    dir_ = std::make_unique<TempDir>(std::move(dir));
  }

  std::string Write(const std::string& name, const std::string& content) {
    std::string path = absl::StrCat(dir_->path(), "/", name);
    EXPECT_OK(CreateDirectories(path.substr(0, path.rfind('/'))));
    EXPECT_OK(WriteFileAtomically(path, content));
    return path;
  }

  std::unique_ptr<TempDir> dir_;
};

TEST_F(SolutionSourceTest, JsonFile) {
  ASSERT_OK_AND_ASSIGN(const SolutionSource source,
                       FindSolutionSource(Write("x.json", kPacked)));
  EXPECT_EQ(source.kind, SolutionSource::kSolution);
  EXPECT_EQ(source.solution.sources(0).content(), "packed");
}

TEST_F(SolutionSourceTest, FolderAndItsJsonFileAreTheSame) {
  const std::string json = Write("folder/solution.json", kUnpacked);
  Write("folder/main.py", "beside");
  for (const std::string& what : {json, dir_->path() + "/folder"}) {
    ASSERT_OK_AND_ASSIGN(const SolutionSource source, FindSolutionSource(what));
    EXPECT_EQ(source.kind, SolutionSource::kSolution);
    EXPECT_EQ(source.solution.sources(0).content(), "beside");
  }
}

TEST_F(SolutionSourceTest, TraceSet) {
  Write("solutions/a/s.json", kPacked);
  ASSERT_OK_AND_ASSIGN(const SolutionSource source,
                       FindSolutionSource(dir_->path()));
  EXPECT_EQ(source.kind, SolutionSource::kTraceSet);
  EXPECT_EQ(source.set.solutions.size(), 1u);
}

TEST_F(SolutionSourceTest, TraceSetWithoutSolutions) {
  ASSERT_OK(CreateDirectories(dir_->path() + "/definitions"));
  EXPECT_THAT(FindSolutionSource(dir_->path()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("has no solutions")));
}

TEST_F(SolutionSourceTest, SomeOtherFolder) {
  EXPECT_THAT(FindSolutionSource(dir_->path()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("neither a solution nor a trace set")));
}

TEST_F(SolutionSourceTest, BrokenJsonNamesFileLineAndColumn) {
  const std::string path = Write("x.json", "{\n  \"name\": }\n");
  EXPECT_THAT(FindSolutionSource(path),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(StartsWith(path), HasSubstr("line 2"))));
}

TEST_F(SolutionSourceTest, PlainWordIsPerhapsAStoredName) {
  ASSERT_OK_AND_ASSIGN(const SolutionSource source,
                       FindSolutionSource("scale_cpp"));
  EXPECT_EQ(source.kind, SolutionSource::kStoredName);
}

TEST_F(SolutionSourceTest, MissingPathIsNotTakenForAName) {
  for (const char* what : {"no/such", "missing.json"}) {
    EXPECT_THAT(FindSolutionSource(what),
                StatusIs(absl::StatusCode::kNotFound, HasSubstr(what)));
  }
}

}  // namespace
}  // namespace assay
