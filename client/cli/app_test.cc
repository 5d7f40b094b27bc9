// Every command, from arguments to output and exit code, against a coordinator
// in memory.

#include "client/cli/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "client/cli/cli_testing.h"
#include "client/fake_coordinator.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kSolution[] = R"({
  "name": "scale_cpp", "definition": "scale_h4096", "author": "assay",
  "spec": {"language": "cpp", "target_hardware": ["cpu"], "binding": "c",
           "entry_point": "kernel.cpp::scale"},
  "sources": [{"path": "kernel.cpp", "content": "int scale();"}]
})";

v1::SubmissionEvent Trace(v1::EvaluationStatus status, const std::string& id) {
  v1::SubmissionEvent event;
  event.mutable_trace()->set_id(id);
  event.mutable_trace()->set_job_id(id);
  v1::Trace& trace = *event.mutable_trace()->mutable_trace();
  trace.set_definition("scale_h4096");
  trace.set_solution("scale_cpp");
  trace.mutable_workload()->set_uuid("w1");
  trace.mutable_evaluation()->set_status(status);
  return event;
}

class AppTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir dir, TempDir::Create("app-"));
    dir_ = std::make_unique<TempDir>(std::move(dir));
    solution_file_ = Write("scale.json", kSolution);
    fake_.Edit([](FakeCoordinator::State& state) {
      v1::Definition& definition =
          *state.definitions.emplace_back().mutable_definition();
      definition.set_name("scale_h4096");
      definition.set_op_type("scale");
      v1::Solution& solution =
          *state.solutions.emplace_back().mutable_solution();
      solution.set_name("scale_cpp");
      solution.set_definition("scale_h4096");
      solution.set_author("assay");
      v1::WorkloadRecord& workload = state.workloads.emplace_back();
      workload.set_definition("scale_h4096");
      workload.mutable_workload()->set_uuid("w1");
    });
  }

  // Runs a command that talks to the fake coordinator.
  CliResult Run(std::vector<std::string> arguments) {
    arguments.emplace_back("--server");
    arguments.push_back(fake_.address());
    return RunCli(arguments);
  }

  std::string Write(const std::string& name, const std::string& content) {
    std::string path = absl::StrCat(dir_->path(), "/", name);
    EXPECT_OK(WriteFileAtomically(path, content));
    return path;
  }

  // Submissions end with these verdicts.
  void WillEndWith(const std::vector<v1::EvaluationStatus>& statuses) {
    fake_.Edit([&statuses](FakeCoordinator::State& state) {
      state.on_submit = [statuses](FakeCoordinator::State& inner,
                                   const v1::CreateSubmissionRequest&,
                                   v1::Submission& submission) {
        submission.set_queued(static_cast<int>(statuses.size()));
        for (const v1::EvaluationStatus status : statuses) {
          auto& events = inner.events[submission.id()];
          events.push_back(
              Trace(status, absl::StrCat("tra-", events.size() + 1)));
        }
      };
    });
  }

  FakeCoordinator fake_;
  std::unique_ptr<TempDir> dir_;
  std::string solution_file_;
};

TEST_F(AppTest, SubmitTellsTheIdAndHowToWatch) {
  WillEndWith({v1::PASSED});
  const CliResult result = Run({"submit", solution_file_});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, absl::StrCat("submitted scale_cpp as sub-1: 1 job\n"
                                     "watch with: assay watch sub-1 --server ",
                                     fake_.address(), "\n"));
}

TEST_F(AppTest, SubmitWithoutAnyJobSaysSoInItsExitCode) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.on_submit = [](FakeCoordinator::State&,
                         const v1::CreateSubmissionRequest&,
                         v1::Submission& submission) {
      for (int i = 0; i < 2; ++i) {
        submission.add_skipped()->set_reason("needs cuda");
      }
    };
  });
  const CliResult result = Run({"submit", solution_file_});
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.out,
            "submitted scale_cpp as sub-1: 0 jobs\n"
            "  skipped 2 workloads: needs cuda\n");
  EXPECT_EQ(Run({"submit", solution_file_, "--watch"}).code, 7);
}

TEST_F(AppTest, SubmitPassesEverythingOn) {
  WillEndWith({v1::PASSED});
  const CliResult result =
      Run({"submit", solution_file_, "--workload", "w1,w2", "--hardware", "cpu",
           "--priority", "-5", "--iterations", "7", "--timeout", "9s"});
  EXPECT_EQ(result.code, 0) << result.err;
  fake_.Edit([](FakeCoordinator::State& state) {
    ASSERT_THAT(state.submitted, SizeIs(1));
    const v1::CreateSubmissionRequest& request = state.submitted[0];
    EXPECT_EQ(request.solution().sources(0).content(), "int scale();");
    EXPECT_THAT(request.workload_uuids(), ElementsAre("w1", "w2"));
    EXPECT_THAT(request.hardware(), ElementsAre("cpu"));
    EXPECT_EQ(request.priority(), -5);
    EXPECT_EQ(request.config().iterations(), 7);
    EXPECT_EQ(request.config().run_timeout().seconds(), 9);
  });
}

TEST_F(AppTest, SubmissionsBeforeAnOutageAreTold) {
  for (const char* folder : {"definitions", "solutions", "workloads"}) {
    ASSERT_OK(CreateDirectories(absl::StrCat(dir_->path(), "/set/", folder)));
  }
  for (const char* name : {"a", "b"}) {
    Write(absl::StrCat("set/solutions/", name, ".json"),
          absl::StrReplaceAll(kSolution, {{"scale_cpp", name}}));
  }
  WillEndWith({v1::PASSED});
  const auto go_away_after_one = [this] {
    fake_.Edit([](FakeCoordinator::State& state) {
      state.submitted.clear();
      state.errors["CreateSubmission"] = {absl::OkStatus(),
                                          absl::InternalError("disk is full")};
    });
  };
  go_away_after_one();
  const CliResult text = Run({"submit", dir_->path() + "/set"});
  EXPECT_EQ(text.code, 5);
  EXPECT_EQ(text.out, "submitted a as sub-1: 1 job\n");
  EXPECT_THAT(text.err, HasSubstr("disk is full"));

  go_away_after_one();
  const CliResult json = Run({"submit", dir_->path() + "/set", "--json"});
  EXPECT_THAT(json.out, AllOf(HasSubstr("\"id\": \"sub-1\""),
                              HasSubstr("{\"error\":{\"code\":")));
}

TEST_F(AppTest, SubmitOfAStoredName) {
  WillEndWith({v1::PASSED});
  const CliResult result = Run({"submit", "scale_cpp"});
  EXPECT_EQ(result.code, 0) << result.err;
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_EQ(state.submitted.at(0).solution_name(), "scale_cpp");
  });
}

TEST_F(AppTest, WatchedSubmissionEndsWithItsVerdict) {
  struct Case {
    v1::EvaluationStatus status;
    int code;
  };
  const Case cases[] = {{v1::PASSED, 0},
                        {v1::INCORRECT_NUMERICAL, 1},
                        {v1::COMPILE_ERROR, 2},
                        {v1::RUNTIME_ERROR, 3},
                        {v1::TIMEOUT, 4}};
  for (const Case& c : cases) {
    WillEndWith({v1::PASSED, c.status});
    const CliResult result = Run({"submit", solution_file_, "--watch"});
    EXPECT_EQ(result.code, c.code) << result.err;
    EXPECT_THAT(result.out, HasSubstr(v1::EvaluationStatus_Name(c.status)));
    EXPECT_THAT(result.out, HasSubstr("2 evaluations: "));
  }
}

TEST_F(AppTest, WatchPrintsJsonLinesAndASummary) {
  WillEndWith({v1::PASSED});
  Run({"submit", solution_file_});
  const CliResult result = Run({"watch", "sub-1", "--json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              StartsWith("{\"event\":{\"submission_id\":\"sub-1\""));
  EXPECT_THAT(result.out,
              HasSubstr("\n{\"summary\":{\"evaluations\":{\"PASSED\":1},"
                        "\"jobs_failed\":0,\"jobs_cancelled\":0,"));
  EXPECT_THAT(result.out, testing::EndsWith("\"exit_code\":0}}\n"));
}

TEST_F(AppTest, WatchWithoutIdsFollowsWhatHasNotEnded) {
  EXPECT_THAT(Run({"watch"}).err, HasSubstr("every submission has ended"));
  WillEndWith({v1::TIMEOUT});
  Run({"submit", solution_file_});
  const CliResult result = Run({"watch"});
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_THAT(result.out, HasSubstr("TIMEOUT"));
}

TEST_F(AppTest, WatchOfNothingPrintsItsSummaryAllTheSame) {
  const CliResult result = Run({"watch", "--json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("{\"summary\":{\"evaluations\":{},"));
  EXPECT_THAT(result.out, testing::EndsWith("\"exit_code\":0}}\n"));
}

TEST_F(AppTest, FailedJobIsInfrastructure) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.submissions.emplace_back().set_id("sub-9");
    v1::SubmissionEvent event;
    event.mutable_job()->set_id("job-1");
    event.mutable_job()->set_state(v1::FAILED);
    event.mutable_job()->mutable_failure()->set_reason("WORKER_LOST");
    state.events["sub-9"] = {event};
  });
  const CliResult result = Run({"watch", "sub-9"});
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.out, HasSubstr("WORKER_LOST"));
  EXPECT_THAT(result.out, HasSubstr("1 job without a verdict"));
}

TEST_F(AppTest, CancelSaysWhatItDid) {
  fake_.Edit([](FakeCoordinator::State& state) {
    v1::Submission& submission = state.submissions.emplace_back();
    submission.set_id("sub-1");
    submission.set_cancelled(2);
    submission.set_completed(3);
  });
  const CliResult result = Run({"cancel", "sub-1"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "cancelled sub-1: 2 jobs cancelled, 3 had ended\n");
}

TEST_F(AppTest, UnknownNamesComeWithSuggestions) {
  struct Case {
    std::vector<std::string> arguments;
    const char* suggestion;
  };
  const Case cases[] = {
      {{"definitions", "get", "scale_h409"}, "did you mean \"scale_h4096\"?"},
      {{"solutions", "get", "scale_cp"}, "did you mean \"scale_cpp\"?"},
      {{"leaderboard", "scale"}, "did you mean \"scale_h4096\"?"},
      {{"submit", "scale_cp"},
       "neither a file nor a stored solution \"scale_cp\"; did you mean "
       "\"scale_cpp\"?"},
  };
  for (const Case& c : cases) {
    const CliResult result = Run(c.arguments);
    EXPECT_EQ(result.code, 65) << c.arguments[0];
    EXPECT_THAT(result.err, HasSubstr(c.suggestion)) << c.arguments[0];
    EXPECT_EQ(result.out, "") << c.arguments[0];
  }
}

TEST_F(AppTest, ListsAreTables) {
  EXPECT_THAT(Run({"definitions", "list"}).out,
              AllOf(StartsWith("name "), HasSubstr("\nscale_h4096  scale")));
  EXPECT_THAT(Run({"solutions", "list"}).out, HasSubstr("\nscale_cpp "));
  EXPECT_THAT(Run({"workloads", "list"}).out, HasSubstr("\nw1 "));
  EXPECT_THAT(Run({"traces", "list"}).err, HasSubstr("no traces"));
  EXPECT_THAT(Run({"workers", "list"}).err, HasSubstr("no workers"));
  EXPECT_THAT(Run({"submissions", "list"}).err, HasSubstr("no submissions"));
  EXPECT_THAT(Run({"leaderboard"}).err, HasSubstr("no results yet"));
}

TEST_F(AppTest, BoardsAreExplainedOnce) {
  fake_.Edit([](FakeCoordinator::State& state) {
    for (const char* hardware : {"A", "B"}) {
      v1::Leaderboard& board = state.boards.emplace_back();
      board.mutable_key()->set_definition("scale_h4096");
      board.mutable_key()->set_hardware(hardware);
      board.add_entries()->set_solution("scale_cpp");
    }
  });
  const std::string table =
      "rank  solution   author  speed-up  passed  note\n"
      "   -  scale_cpp                 -     0/0\n";
  EXPECT_EQ(Run({"leaderboard"}).out,
            absl::StrCat("speed-up: geometric mean over the workloads of "
                         "reference latency / latency\n\n"
                         "scale_h4096 on A, 0 workloads\n",
                         table, "\nscale_h4096 on B, 0 workloads\n", table));
}

TEST_F(AppTest, ExportTellsWhatItLeftOut) {
  fake_.Edit([](FakeCoordinator::State& state) {
    v1::Definition& definition = *state.definitions[0].mutable_definition();
    definition.add_axes()->set_name("n");
    definition.mutable_axes(0)->set_kind(v1::Axis::VAR);
    for (v1::TensorSpec* tensor :
         {definition.add_inputs(), definition.add_outputs()}) {
      tensor->add_shape("n");
      tensor->set_dtype(v1::DTYPE_FLOAT32);
    }
    definition.mutable_inputs(0)->set_name("x");
    definition.mutable_outputs(0)->set_name("y");
    definition.set_reference("def run(x):\n    return x\n");
    state.solutions.clear();
    state.workloads.clear();
    v1::TraceRecord& record = state.traces.emplace_back();
    record.set_solution_digest("old");
    record.mutable_trace()->set_definition("scale_h4096");
    record.mutable_trace()->set_solution("scale_cpp");
  });
  const CliResult text = Run({"export", dir_->path() + "/one"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.err, HasSubstr("left out: 1 trace of other revisions"));
  EXPECT_THAT(Run({"export", dir_->path() + "/two", "--json"}).out,
              HasSubstr("\"traces_of_other_revisions\": 1"));
}

TEST_F(AppTest, ListsAsJson) {
  EXPECT_THAT(Run({"workers", "list", "--json"}).out,
              HasSubstr("\"workers\": []"));
  EXPECT_THAT(Run({"solutions", "list", "--json"}).out,
              HasSubstr("\"name\": \"scale_cpp\""));
}

TEST_F(AppTest, UnwellWorkerIsListedWithTheReason) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.workers.emplace_back().set_unwell_reason("3 GiB are in use");
  });
  EXPECT_THAT(Run({"workers", "list"}).out, HasSubstr("3 GiB are in use"));
}

TEST_F(AppTest, TraceIsShownWithItsWholeLog) {
  fake_.Edit([](FakeCoordinator::State& state) {
    v1::TraceRecord& record = state.traces.emplace_back();
    record.set_id("tra-1");
    record.mutable_trace()->set_solution("scale_cpp");
    v1::Evaluation& evaluation = *record.mutable_trace()->mutable_evaluation();
    evaluation.set_status(v1::RUNTIME_ERROR);
    evaluation.set_log("line one\nline two\n");
  });
  const CliResult result = Run({"traces", "get", "tra-1"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("RUNTIME_ERROR"),
                    HasSubstr("log:\n    line one\n    line two\n")));
}

TEST_F(AppTest, TracesAreReviewed) {
  fake_.Edit([](FakeCoordinator::State& state) {
    v1::TraceRecord& held = state.traces.emplace_back();
    held.set_id("tra-1");
    held.mutable_trace()->set_solution("scale_cpp");
    held.set_review_state(v1::Review::PENDING);
    v1::Evaluation& evaluation = *held.mutable_trace()->mutable_evaluation();
    evaluation.set_status(v1::PASSED);
    evaluation.add_findings()->set_rule("below_floor");
    state.traces.emplace_back().set_id("tra-2");
  });
  const CliResult list = Run({"traces", "list", "--held"});
  EXPECT_THAT(list.out,
              AllOf(HasSubstr("tra-1  PASSED, held"), HasSubstr("below_floor"),
                    Not(HasSubstr("tra-2"))));
  const CliResult rejected = Run({"traces", "reject", "tra-1", "--reason",
                                  "stores answers", "--by", "ops"});
  EXPECT_EQ(rejected.code, 0) << rejected.err;
  EXPECT_EQ(rejected.out, "rejected tra-1 of scale_cpp\n");
  EXPECT_THAT(Run({"traces", "get", "tra-1"}).out,
              HasSubstr("rejected by ops"));
  EXPECT_THAT(Run({"traces", "approve", "tra-1", "--reason", "it does not",
                   "--by", "ops", "--json"})
                  .out,
              HasSubstr("\"review_state\": \"APPROVED\""));
  // A decision without a reason is none.
  EXPECT_EQ(Run({"traces", "approve", "tra-1"}).code, 64);
  EXPECT_EQ(Run({"traces", "approve", "tra-9", "--reason", "x"}).code, 65);
}

TEST_F(AppTest, DefinitionIsWrittenInTheSchemasForm) {
  const std::string file = dir_->path() + "/out.json";
  const CliResult result =
      Run({"definitions", "get", "scale_h4096", "-o", file});
  EXPECT_EQ(result.code, 0) << result.err;
  ASSERT_OK_AND_ASSIGN(const std::string text, ReadFile(file));
  EXPECT_THAT(text, HasSubstr("\"op_type\": \"scale\""));
}

TEST_F(AppTest, InfoNamesTheCoordinator) {
  const CliResult result = Run({"info"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr(fake_.address()), HasSubstr("0.1.0")));
}

TEST_F(AppTest, UnreachableCoordinatorIsInfrastructure) {
  const CliResult result =
      RunCli({"info", "--server", "unix:/nonexistent.sock"});
  EXPECT_EQ(result.code, 5);
  EXPECT_EQ(result.err,
            "assay: cannot reach the coordinator at unix:/nonexistent.sock: no "
            "such socket; start it with assay-coordinator or name another with "
            "--server\n");
}

TEST_F(AppTest, ErrorsAsJson) {
  const CliResult result = Run({"solutions", "get", "zzz", "--json"});
  EXPECT_EQ(result.code, 65);
  EXPECT_THAT(result.out, StartsWith("{\"error\":{\"code\":\"NOT_FOUND\","));
  EXPECT_THAT(result.err, StartsWith("assay: "));
}

TEST_F(AppTest, WrongCommandLines) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{
           {},
           {"sumbit"},
           {"cancel"},
           {"info", "--nonsense"},
           {"submit", "x", "--iterations", "0"},
           {"traces", "list", "--status", "FINE"},
           {"run"}}) {
    const CliResult result = RunCli(arguments);
    EXPECT_EQ(result.code, 64) << testing::PrintToString(arguments);
    EXPECT_THAT(result.err, AllOf(StartsWith("assay: "), HasSubstr("--help")));
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(AppTest, BadAddressIsInvalidInput) {
  const CliResult result = RunCli({"info", "--server", "http://x"});
  EXPECT_EQ(result.code, 65);
  EXPECT_THAT(result.err, HasSubstr("\"http://x\" is not a server address"));
}

TEST_F(AppTest, SubmitOfBrokenInput) {
  const CliResult missing = Run({"submit", "no/such.json"});
  EXPECT_EQ(missing.code, 65);
  EXPECT_THAT(missing.err,
              HasSubstr("there is no file or folder \"no/such.json\""));

  const std::string broken = Write("broken.json", "{\n  \"name\": }\n");
  const CliResult malformed = Run({"submit", broken});
  EXPECT_EQ(malformed.code, 65);
  EXPECT_THAT(malformed.err, AllOf(HasSubstr(broken), HasSubstr("line 2")));

  const CliResult folder = Run({"submit", dir_->path()});
  EXPECT_EQ(folder.code, 65);
  EXPECT_THAT(folder.err, HasSubstr("neither a solution nor a trace set"));
}

TEST_F(AppTest, FlagsThatDoNotGoTogether) {
  const CliResult result =
      Run({"submit", solution_file_, "--op-type", "scale"});
  EXPECT_EQ(result.code, 65);
  EXPECT_THAT(result.err, HasSubstr("is a single solution"));
}

TEST_F(AppTest, FolderWithoutTraceSet) {
  for (const char* command : {"validate", "import"}) {
    const CliResult result = RunCli({command, dir_->path()});
    EXPECT_EQ(result.code, 65) << command;
    EXPECT_THAT(result.err, HasSubstr(dir_->path())) << command;
  }
  const CliResult missing = RunCli({"run", "--local", "/nonexistent"});
  EXPECT_EQ(missing.code, 65);
  EXPECT_THAT(missing.err, HasSubstr("/nonexistent"));
}

TEST_F(AppTest, LocalRunWithoutItsPrograms) {
  ASSERT_OK(CreateDirectories(dir_->path() + "/solutions"));
  Write("solutions/scale.json", kSolution);
  const CliResult result =
      RunCli({"run", "--local", dir_->path(), "--bin-dir", "/nonexistent"});
  EXPECT_EQ(result.code, 65);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("\"assay-coordinator\" in \"/nonexistent\""),
                    HasSubstr("--bin-dir")));
}

TEST_F(AppTest, PackAndUnpackAreInverse) {
  const std::string folder = dir_->path() + "/unpacked";
  const std::string packed = dir_->path() + "/packed.json";
  EXPECT_EQ(RunCli({"solution", "unpack", solution_file_, folder}).code, 0);
  EXPECT_THAT(ReadFile(folder + "/kernel.cpp"), IsOkAndHolds("int scale();"));
  const CliResult result = RunCli({"solution", "pack", folder, "-o", packed});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("packed scale_cpp with 1 source into"));
  ASSERT_OK_AND_ASSIGN(const std::string text, ReadFile(packed));
  EXPECT_EQ(RunCli({"solution", "pack", folder}).out, text);
}

TEST_F(AppTest, HelpListsCommandsAndExitCodes) {
  const CliResult result = RunCli({"--help"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("leaderboard"),
                                HasSubstr("64   wrong command line")));
  EXPECT_EQ(result.err, "");
}

TEST_F(AppTest, VersionInThreeWays) {
  EXPECT_EQ(RunCli({"version"}).out, "assay 0.1.0\n");
  EXPECT_EQ(RunCli({"--version"}).out, "assay 0.1.0\n");
  EXPECT_EQ(RunCli({"version", "--json"}).out,
            "{\n  \"version\": \"0.1.0\"\n}\n");
}

}  // namespace
}  // namespace assay
