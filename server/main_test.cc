// assay-coordinator as a program.

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <string>

namespace assay {
namespace {

int ExitCodeWith(const std::string& flags) {
  const std::string command =
      "server/assay-coordinator " + flags + " >/dev/null 2>&1";
  const int status = system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(MainTest, WrongCommandLineIsAUsageError) {
  EXPECT_EQ(ExitCodeWith("--no-such-flag"), 64);
  EXPECT_EQ(ExitCodeWith("--log-level loud"), 64);
  EXPECT_EQ(ExitCodeWith("left-over"), 64);
}

TEST(MainTest, QuestionsAreAnswered) {
  EXPECT_EQ(ExitCodeWith("--help"), 0);
  EXPECT_EQ(ExitCodeWith("--version"), 0);
}

TEST(MainTest, StoreThatCannotBeUsedIsAFailure) {
  EXPECT_EQ(ExitCodeWith("--listen 127.0.0.1:0 --store /no/such/assay.db"), 1);
}

TEST(MainTest, TokenIsCreatedWithoutACoordinator) {
  const std::string store = std::string(getenv("TEST_TMPDIR")) + "/tokens.db";
  EXPECT_EQ(
      ExitCodeWith("create-token --role admin --name me --store " + store), 0);
  EXPECT_EQ(ExitCodeWith("create-token --role king --name me --store " + store),
            64);
  EXPECT_EQ(ExitCodeWith("create-token --role admin --store " + store), 64);
  EXPECT_EQ(ExitCodeWith("create-token --role admin --name me --store "
                         "/no/such/assay.db"),
            1);
}

}  // namespace
}  // namespace assay
