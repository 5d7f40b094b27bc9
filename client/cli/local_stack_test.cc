#include "client/cli/local_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "client/cli/last_resort.h"
#include "client/cli/local_stack_testing.h"
#include "client/fake_coordinator.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class LocalStackTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir dir, TempDir::Create("local-stack-"));
    dir_ = std::make_unique<TempDir>(std::move(dir));
    ASSERT_OK_AND_ASSIGN(FakePrograms programs, FakePrograms::Create(fake_));
    programs_ = std::make_unique<FakePrograms>(std::move(programs));
    options_.program_dir = programs_->path();
    options_.cancellation = &cancellation_;
    // Where the stack keeps its own folders, to see what is left of them.
    setenv("TMPDIR", dir_->path().c_str(), 1);
  }
  void TearDown() override { unsetenv("TMPDIR"); }

  void WriteProgram(const std::string& name, const std::string& script) {
    ASSERT_OK(programs_->Write(name, script));
  }

  int NumLeftBehind() const {
    int count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(dir_->path())) {
      ++count;
    }
    return count;
  }

  FakeCoordinator fake_;
  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<FakePrograms> programs_;
  Cancellation cancellation_;
  LocalStack::Options options_;
};

TEST_F(LocalStackTest, StartsAndLeavesNothingBehind) {
  {
    ASSERT_OK_AND_ASSIGN(const auto stack, LocalStack::Start(options_));
    EXPECT_EQ(stack->device().model(), "TEST");
    EXPECT_EQ(stack->client().server_info().version(), "0.1.0");
    EXPECT_OK(stack->CheckRunning());
    EXPECT_EQ(NumLeftBehind(), 2);
  }
  EXPECT_EQ(NumLeftBehind(), 0);
  EXPECT_FALSE(cancellation_.cancelled());
}

TEST_F(LocalStackTest, WorkerIsToldWhatItNeeds) {
  options_.cache_dir = "cache dir";
  options_.sandbox = "off";
  ASSERT_OK_AND_ASSIGN(const auto stack, LocalStack::Start(options_));
  const std::string log = stack->KeepLogs() + "/assay-worker.log";
  absl::StatusOr<std::string> text = ReadFile(log);
  while (!text.ok() || text->empty()) text = ReadFile(log);
  EXPECT_THAT(text, IsOkAndHolds(absl::StrCat(
                        "--server ", fake_.address(),
                        " --device cpu --tls-ca none --die-with-parent "
                        "--cache cache dir --sandbox off\n")));
}

TEST_F(LocalStackTest, CoordinatorThatDoesNotStartIsQuotedAndItsLogKept) {
  WriteProgram("assay-coordinator",
               "#!/bin/sh\necho 'store is not a database' >&2\nexit 3\n");
  EXPECT_THAT(LocalStack::Start(options_),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("assay-coordinator ended by itself: "
                                       "exit code 3; its log is "),
                             HasSubstr("\n    store is not a database"))));
  EXPECT_EQ(NumLeftBehind(), 1);
}

TEST_F(LocalStackTest, WorkerThatDoesNotStartIsQuoted) {
  fake_.Edit([](FakeCoordinator::State& state) { state.workers.clear(); });
  WriteProgram("assay-worker", "#!/bin/sh\necho no sandbox >&2\nexit 1\n");
  EXPECT_THAT(LocalStack::Start(options_),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("assay-worker ended by itself"),
                             HasSubstr("no sandbox"))));
}

TEST_F(LocalStackTest, WorkerOfAnEarlierRunDoesNotCount) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.workers[0].set_last_seen_time_us(1);
  });
  options_.start_timeout = absl::Milliseconds(50);
  EXPECT_THAT(LocalStack::Start(options_),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr("assay-worker was not ready after 50ms")));
}

TEST_F(LocalStackTest, ProgramThatEndsLaterUsesTheCancellation) {
  // Ends once the file is there.
  const std::string flag = programs_->path() + "/end";
  WriteProgram("assay-worker",
               absl::StrCat("#!/bin/sh\nwhile [ ! -e ", flag,
                            " ]; do sleep 0.01; done\nexit 9\n"));
  ASSERT_OK_AND_ASSIGN(const auto stack, LocalStack::Start(options_));
  ASSERT_OK(WriteFileAtomically(flag, ""));
  EXPECT_FALSE(cancellation_.Sleep(absl::Seconds(60)));
  EXPECT_THAT(stack->CheckRunning(),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("assay-worker ended by itself: exit code 9")));
}

TEST_F(LocalStackTest, CancellationEndsTheWaiting) {
  fake_.Edit([](FakeCoordinator::State& state) { state.workers.clear(); });
  cancellation_.Cancel();
  EXPECT_THAT(LocalStack::Start(options_),
              StatusIs(absl::StatusCode::kCancelled, testing::_));
}

TEST_F(LocalStackTest, LastResortKillsItAndLeavesNothingBehind) {
  ASSERT_OK_AND_ASSIGN(const auto stack, LocalStack::Start(options_));
  LastResort::CarryOutAll();
  EXPECT_EQ(NumLeftBehind(), 0);
  EXPECT_THAT(stack->CheckRunning(),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("ended by itself: killed by signal 9")));
}

TEST_F(LocalStackTest, LastResortKeepsTheLogsThatSomebodyWasToldOf) {
  ASSERT_OK_AND_ASSIGN(const auto stack, LocalStack::Start(options_));
  stack->KeepLogs();
  LastResort::CarryOutAll();
  EXPECT_EQ(NumLeftBehind(), 1);
}

TEST_F(LocalStackTest, MissingProgramNamesTheFolderAndTheRemedy) {
  options_.program_dir = "/nonexistent";
  EXPECT_THAT(
      LocalStack::Start(options_),
      StatusIs(absl::StatusCode::kNotFound,
               AllOf(HasSubstr("\"assay-coordinator\" in \"/nonexistent\""),
                     HasSubstr("--bin-dir"))));
}

}  // namespace
}  // namespace assay
