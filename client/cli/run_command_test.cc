#include "client/cli/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "client/cancellation.h"
#include "client/cli/cli_testing.h"
#include "client/cli/local_stack_testing.h"
#include "client/fake_coordinator.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kDefinition[] = R"({
  "name": "scale", "op_type": "scale", "axes": {"n": {"type": "var"}},
  "inputs": {"x": {"shape": ["n"], "dtype": "float32"}},
  "outputs": {"y": {"shape": ["n"], "dtype": "float32"}},
  "reference": "def run(x):\n    return x\n"
})";
constexpr char kSolution[] = R"({
  "name": "NAME", "definition": "scale", "author": "assay",
  "spec": {"language": "python", "target_hardware": ["HARDWARE"],
           "entry_point": "main.py::run"},
  "sources": [{"path": "main.py", "content": "def run(x, y): pass\n"}]
})";
constexpr char kWorkload[] =
    R"({"definition": "scale", "workload": {"uuid": "UUID", "axes": {"n": 8},)"
    R"( "inputs": {"x": {"type": "random"}}, "target_hardware": ["HARDWARE"]}})"
    "\n";

class RunCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir dir, TempDir::Create("run-command-"));
    dir_ = std::make_unique<TempDir>(std::move(dir));
    ASSERT_OK_AND_ASSIGN(FakePrograms programs, FakePrograms::Create(fake_));
    programs_ = std::make_unique<FakePrograms>(std::move(programs));
    Write("definitions/scale/scale.json", kDefinition);
    Write("workloads/scale/scale.jsonl",
          absl::StrCat(Workload("here", "cpu"), Workload("there", "cuda")));
    AddSolution("good", "cpu");
    AddSolution("elsewhere", "cuda");
    WillEndWith(v1::PASSED);
  }

  void Write(const std::string& name, const std::string& content) {
    const std::string path = absl::StrCat(dir_->path(), "/", name);
    ASSERT_OK(CreateDirectories(path.substr(0, path.rfind('/'))));
    ASSERT_OK(WriteFileAtomically(path, content));
  }
  void AddSolution(const std::string& name, const std::string& hardware) {
    Write(absl::StrCat("solutions/", name, ".json"),
          absl::StrReplaceAll(kSolution,
                              {{"NAME", name}, {"HARDWARE", hardware}}));
  }
  static std::string Workload(const std::string& uuid,
                              const std::string& hardware) {
    return absl::StrReplaceAll(kWorkload,
                               {{"UUID", uuid}, {"HARDWARE", hardware}});
  }

  // Every job ends with this verdict, and the board has one entry.
  void WillEndWith(v1::EvaluationStatus status) {
    fake_.Edit([status](FakeCoordinator::State& state) {
      v1::Leaderboard& board = state.boards.emplace_back();
      board.mutable_key()->set_definition("scale");
      board.mutable_key()->set_hardware("TEST");
      board.add_entries()->set_solution("good");
      state.on_submit = [status](FakeCoordinator::State& inner,
                                 const v1::CreateSubmissionRequest& request,
                                 v1::Submission& submission) {
        submission.set_queued(request.workload_uuids_size());
        for (const std::string& uuid : request.workload_uuids()) {
          v1::SubmissionEvent event;
          event.mutable_trace()->set_job_id(submission.id() + uuid);
          v1::Trace& trace = *event.mutable_trace()->mutable_trace();
          trace.set_solution(submission.solution());
          trace.mutable_workload()->set_uuid(uuid);
          trace.mutable_evaluation()->set_status(status);
          trace.mutable_evaluation()->set_log("first line\nsecond line\n");
          inner.events[submission.id()].push_back(event);
        }
      };
    });
  }

  CliResult Run(std::vector<std::string> flags = {}) {
    std::vector<std::string> arguments = {"run", "--local", dir_->path(),
                                          "--bin-dir", programs_->path()};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return RunCli(arguments, /*width=*/0, cancellation_);
  }

  Cancellation cancellation_;
  FakeCoordinator fake_;
  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<FakePrograms> programs_;
};

TEST_F(RunCommandTest, EvaluatesWhatFitsAndListsTheRest) {
  const CliResult result = Run({"--iterations", "5"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(StartsWith("PASSED               good  "),
                    HasSubstr("\nnot run, needs cuda: 1 solution\n"
                              "  elsewhere\n"
                              "left out, for other devices: 1 workload\n"),
                    HasSubstr("\n\nspeed-up: geometric mean over the workloads "
                              "of reference latency / latency\n\n"
                              "scale on TEST"),
                    HasSubstr("\n1 evaluation: 1 passed in ")));
  fake_.Edit([](FakeCoordinator::State& state) {
    ASSERT_THAT(state.submitted, SizeIs(1));
    EXPECT_THAT(state.submitted[0].workload_uuids(), ElementsAre("here"));
    EXPECT_EQ(state.submitted[0].config().iterations(), 5);
    EXPECT_THAT(state.imported, SizeIs(5));
  });
}

TEST_F(RunCommandTest, FailureIsToldWithItsLogOnRequest) {
  WillEndWith(v1::RUNTIME_ERROR);
  CliResult result = Run();
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, Not(HasSubstr("second line")));
  EXPECT_THAT(result.err, HasSubstr("--logs"));
  result = Run({"--logs"});
  EXPECT_THAT(result.out, HasSubstr("    first line\n    second line\n"));
}

TEST_F(RunCommandTest, JsonIsOneObjectPerLineAndEndsWithTheSummary) {
  const CliResult result = Run({"--json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(
      result.out,
      AllOf(StartsWith("{\"event\":{"),
            HasSubstr("\n{\"not_run\":[{\"solution\":\"elsewhere\","
                      "\"reason\":\"needs cuda\"}]}\n"),
            HasSubstr("\n{\"leaderboard\":{"),
            HasSubstr("\n{\"summary\":{\"evaluations\":{\"PASSED\":1}")));
}

TEST_F(RunCommandTest, BrokenFileDoesNotStopTheRestButIsNoSuccess) {
  Write("solutions/broken.json", "{");
  const CliResult result = Run();
  EXPECT_EQ(result.code, 65);
  EXPECT_THAT(result.err, HasSubstr("left out: solutions/broken.json"));
  EXPECT_THAT(result.out, HasSubstr("1 passed"));
}

TEST_F(RunCommandTest, SelectionMayLeaveTheBrokenFileAside) {
  Write("solutions/broken.json", "{");
  EXPECT_EQ(Run({"--solutions", "good"}).code, 0);
}

TEST_F(RunCommandTest, VerdictGoesBeforeRefusedInput) {
  Write("solutions/broken.json", "{");
  WillEndWith(v1::INCORRECT_NUMERICAL);
  EXPECT_EQ(Run().code, 1);
}

TEST_F(RunCommandTest, RefusedSolutionIsNotedAndTheRestGoesOn) {
  AddSolution("another", "cpu");
  fake_.Edit([](FakeCoordinator::State& state) {
    state.errors["CreateSubmission"] = {absl::InvalidArgumentError("too big")};
  });
  const CliResult result = Run();
  EXPECT_EQ(result.code, 65);
  EXPECT_THAT(result.err, HasSubstr("refused: solution \"another\": too big"));
  EXPECT_THAT(result.out, HasSubstr("1 passed"));
}

TEST_F(RunCommandTest, NothingThatFitsIsSaidInTheExitCode) {
  const CliResult result = Run({"--solutions", "elsewhere"});
  EXPECT_EQ(result.code, 7);
  EXPECT_THAT(result.out, HasSubstr("0 evaluations"));
}

TEST_F(RunCommandTest, UnknownSelectionIsRefusedBeforeAnythingStarts) {
  const CliResult result = Run({"--solutions", "goood"});
  EXPECT_EQ(result.code, 65);
  EXPECT_THAT(result.err, HasSubstr("did you mean \"good\"?"));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_EQ(state.calls["GetServerInfo"], 0);
  });
}

TEST_F(RunCommandTest, OutputMustBeNew) {
  const CliResult result = Run({"--output", dir_->path()});
  EXPECT_EQ(result.code, 65);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr(dir_->path()), HasSubstr("name a new folder")));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_EQ(state.calls["GetServerInfo"], 0);
  });
}

TEST_F(RunCommandTest, ResultsAreWrittenAsATraceSet) {
  const std::string output = dir_->path() + "/out";
  const CliResult result = Run({"--output", output});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("wrote 0 traces to " + output));
  EXPECT_OK(ReadFile(output + "/definitions/scale/scale.json"));
}

TEST_F(RunCommandTest, SpeedupsAreExplainedOnce) {
  Write("definitions/scale/other.json",
        absl::StrReplaceAll(kDefinition,
                            {{"\"name\": \"scale\"", "\"name\": \"other\""}}));
  Write("workloads/scale/other.jsonl",
        absl::StrReplaceAll(
            Workload("other", "cpu"),
            {{"\"definition\": \"scale\"", "\"definition\": \"other\""}}));
  Write("solutions/other.json",
        absl::StrReplaceAll(kSolution, {{"NAME", "other"},
                                        {"HARDWARE", "cpu"},
                                        {"\"definition\": \"scale\"",
                                         "\"definition\": \"other\""}}));
  fake_.Edit([](FakeCoordinator::State& state) {
    v1::Leaderboard& board = state.boards.emplace_back();
    board.mutable_key()->set_definition("other");
    board.mutable_key()->set_hardware("TEST");
    board.add_entries()->set_solution("other");
  });
  const std::string out = Run().out;
  EXPECT_THAT(out,
              AllOf(HasSubstr("scale on TEST"), HasSubstr("other on TEST")));
  EXPECT_EQ(out.find("speed-up: "), out.rfind("speed-up: "));
}

TEST_F(RunCommandTest, InterruptCancelsWhatIsLeftInAStoreThatIsKept) {
  AddSolution("another", "cpu");
  fake_.Edit([this](FakeCoordinator::State& state) {
    state.hold_watch = true;
    state.on_watched = [this] { cancellation_.Cancel(); };
  });
  const CliResult result = Run({"--store", dir_->path() + "/kept.db"});
  EXPECT_EQ(result.code, 6);
  EXPECT_THAT(result.err, HasSubstr("assay: interrupted"));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_THAT(state.cancelled, ElementsAre("sub-1", "sub-2"));
  });
}

TEST_F(RunCommandTest, InterruptDuringTheSubmittingCancelsTheFirstOnes) {
  AddSolution("another", "cpu");
  fake_.Edit([this](FakeCoordinator::State& state) {
    state.on_submit = [this](FakeCoordinator::State& inner,
                             const v1::CreateSubmissionRequest&,
                             v1::Submission&) {
      if (inner.submitted.size() == 2) cancellation_.Cancel();
    };
  });
  EXPECT_EQ(Run({"--store", dir_->path() + "/kept.db"}).code, 6);
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_THAT(state.cancelled, testing::Contains("sub-1"));
  });
}

TEST_F(RunCommandTest, SubmissionsThatCannotBeCancelledAreTold) {
  fake_.Edit([this](FakeCoordinator::State& state) {
    state.hold_watch = true;
    state.on_watched = [this] { cancellation_.Cancel(); };
    state.errors["CancelSubmission"] = {absl::InternalError("disk is full")};
  });
  const CliResult result = Run({"--store", "kept.db"});
  EXPECT_EQ(result.code, 6);
  EXPECT_THAT(result.err,
              HasSubstr("submissions stay queued in kept.db: disk is full\n"));
}

TEST_F(RunCommandTest, ProgramThatFailsIsInfrastructure) {
  ASSERT_OK(programs_->Write("assay-coordinator",
                             "#!/bin/sh\necho no store >&2\nexit 1\n"));
  const CliResult result = Run();
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.err, AllOf(StartsWith("assay: assay-coordinator ended"),
                                HasSubstr("no store")));
}

}  // namespace
}  // namespace assay
