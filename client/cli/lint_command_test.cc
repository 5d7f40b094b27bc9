#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "client/cli/cli_testing.h"
#include "client/cli/local_stack_testing.h"
#include "client/fake_coordinator.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kDefinition[] = R"({
  "name": "NAME", "op_type": "scale", "axes": {"n": {"type": "var"}},
  "inputs": {"x": {"shape": ["n"], "dtype": "float16"}},
  "outputs": {"y": {"shape": ["n"], "dtype": "float32"}},
  "reference": "def run(x):\n    return x\n"
})";

// A folder with the definitions `sound` and `weak`, for which zeros pass.
class LintCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir dir, TempDir::Create("lint-command-"));
    dir_ = std::make_unique<TempDir>(std::move(dir));
    ASSERT_OK_AND_ASSIGN(FakePrograms programs, FakePrograms::Create(fake_));
    programs_ = std::make_unique<FakePrograms>(std::move(programs));
    for (const std::string name : {"sound", "weak"}) {
      std::string definition = kDefinition;
      definition.replace(definition.find("NAME"), 4, name);
      Write(absl::StrCat("definitions/scale/", name, ".json"), definition);
      Write(absl::StrCat("workloads/scale/", name, ".jsonl"),
            absl::StrCat(R"({"definition": ")", name,
                         R"(", "workload": {"uuid": ")", name,
                         R"(-1", "axes": {"n": 8},)",
                         R"( "inputs": {"x": {"type": "random"}}}})", "\n"));
    }
    fake_.Edit([](FakeCoordinator::State& state) {
      state.on_submit = [](FakeCoordinator::State& inner,
                           const v1::CreateSubmissionRequest& request,
                           v1::Submission& submission) {
        const v1::Solution& solution = request.solution();
        const bool passes =
            solution.definition() == "weak" &&
            solution.description().find("zeros") != std::string::npos;
        v1::SubmissionEvent& event =
            inner.events[submission.id()].emplace_back();
        event.mutable_trace()->set_job_id(submission.id());
        event.mutable_trace()
            ->mutable_trace()
            ->mutable_evaluation()
            ->set_status(passes ? v1::PASSED : v1::INCORRECT_NUMERICAL);
        submission.set_queued(1);
      };
    });
  }

  void Write(const std::string& name, const std::string& content) {
    const std::string path = absl::StrCat(dir_->path(), "/", name);
    ASSERT_OK(CreateDirectories(path.substr(0, path.rfind('/'))));
    ASSERT_OK(WriteFileAtomically(path, content));
  }

  CliResult Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--bin-dir", programs_->path(),
                                       "--server", fake_.address()});
    return RunCli(arguments);
  }

  // Names of the definitions that an import brought, lint's own aside: it
  // imports into the same fake coordinator first.
  int Imported(const std::string& name) {
    int count = 0;
    fake_.Edit([&](FakeCoordinator::State& state) {
      for (const v1::ImportTraceSetRequest& item : state.imported) {
        count += item.definition().name() == name;
      }
    });
    return count;
  }

  FakeCoordinator fake_;
  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<FakePrograms> programs_;
};

TEST_F(LintCommandTest, FolderIsLintedHere) {
  const CliResult result = Run({"lint", dir_->path()});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("weak: weak: output \"y\" passes as zeros"),
                    HasSubstr("2 definitions: 1 weak")));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_FALSE(state.submitted[0].config().time_reference());
    EXPECT_EQ(state.submitted[0].config().iterations(), 3);
  });
}

TEST_F(LintCommandTest, StrictFailsForAWeakDefinitionOnly) {
  EXPECT_EQ(Run({"lint", dir_->path(), "--strict"}).code, 65);
  EXPECT_EQ(
      Run({"lint", dir_->path(), "--strict", "--definitions", "sound"}).code,
      0);
}

TEST_F(LintCommandTest, StoredDefinitionsAreLintedByTheCoordinatorsWorkers) {
  ASSERT_EQ(Run({"import", dir_->path()}).code, 0);
  const CliResult result = Run({"lint", "weak", "--strict", "--rtol", "0.5"});
  EXPECT_EQ(result.code, 65);
  EXPECT_THAT(result.out, HasSubstr("PASSES on 1 of 1 workload"));
  EXPECT_THAT(result.out, Not(HasSubstr("sound")));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_EQ(state.submitted[0].config().rtol(), 0.5);
  });
  EXPECT_THAT(Run({"lint", "wek"}).err, HasSubstr("did you mean \"weak\"?"));
}

TEST_F(LintCommandTest, FolderStandsAlone) {
  const CliResult result = Run({"lint", dir_->path(), "weak"});
  EXPECT_EQ(result.code, 65);
  EXPECT_THAT(result.err, HasSubstr("is a folder: name it alone"));
}

TEST_F(LintCommandTest, ImportReportsWeakDefinitions) {
  const CliResult result = Run({"import", dir_->path(), "--lint", "report"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("warning: definition \"weak\": output"));
  EXPECT_EQ(Imported("weak"), 2);
}

TEST_F(LintCommandTest, StrictImportLeavesWeakDefinitionsOut) {
  const CliResult result =
      Run({"import", dir_->path(), "--lint", "strict", "--json"});
  EXPECT_EQ(result.code, 65);
  EXPECT_THAT(result.err, HasSubstr("refused: definition \"weak\": output"));
  EXPECT_THAT(result.out, HasSubstr("\"definitions_refused_by_lint\": 1"));
  EXPECT_EQ(Imported("weak"), 1);
  EXPECT_EQ(Imported("sound"), 2);
}

}  // namespace
}  // namespace assay
