#include "schema/pack.h"

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/file.h"
#include "base/status_testing.h"
#include "schema/json.h"
#include "schema/schema_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;

class PackTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir temp, TempDir::Create("assay-pack-"));
    temp_ = std::make_unique<TempDir>(std::move(temp));
  }
  std::string Path(const std::string& relative) const {
    return temp_->path() + "/" + relative;
  }

  std::unique_ptr<TempDir> temp_;
};

v1::Solution TwoFiles() {
  v1::Solution solution = ScaleSolution();
  v1::SourceFile& header = *solution.add_sources();
  header.set_path("include/scale.h");
  header.set_content("// é\n");
  solution.set_unknown_json(R"({"note":1})");
  return solution;
}

TEST_F(PackTest, UnpackThenPackGivesTheSame) {
  ASSERT_OK(UnpackSolution(TwoFiles(), Path("s")));
  EXPECT_THAT(ReadFile(Path("s/include/scale.h")), IsOkAndHolds("// é\n"));
  ASSERT_OK_AND_ASSIGN(const v1::Solution packed, PackSolution(Path("s")));
  EXPECT_EQ(SolutionToJson(packed), SolutionToJson(TwoFiles()));
}

TEST_F(PackTest, TheDescriptionHasNoContent) {
  ASSERT_OK(UnpackSolution(TwoFiles(), Path("s")));
  ASSERT_OK_AND_ASSIGN(const std::string text,
                       ReadFile(Path("s/solution.json")));
  EXPECT_THAT(text, testing::Not(HasSubstr("content")));
}

TEST_F(PackTest, UnpackingTheSameAgainIsFine) {
  ASSERT_OK(UnpackSolution(TwoFiles(), Path("s")));
  EXPECT_OK(UnpackSolution(TwoFiles(), Path("s")));
}

TEST_F(PackTest, NothingIsWrittenOverOtherContent) {
  ASSERT_OK(CreateDirectories(Path("s")));
  ASSERT_OK(WriteFileAtomically(Path("s/kernel.cpp"), "mine"));
  EXPECT_THAT(UnpackSolution(TwoFiles(), Path("s")),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       HasSubstr("kernel.cpp\" exists")));
  EXPECT_THAT(ReadFile(Path("s/kernel.cpp")), IsOkAndHolds("mine"));
  EXPECT_FALSE(std::filesystem::exists(Path("s/solution.json")));
}

TEST_F(PackTest, PathsThatLeaveTheFolderAreRefused) {
  for (const char* path : {"../evil", "/tmp/evil", "a/../../evil", ""}) {
    v1::Solution solution = TwoFiles();
    solution.mutable_sources(1)->set_path(path);
    EXPECT_THAT(UnpackSolution(solution, Path("s")),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("\"" + std::string(path) + "\"")))
        << path;
  }
  EXPECT_FALSE(std::filesystem::exists(Path("s")));
}

TEST_F(PackTest, ASourceCannotReplaceTheDescription) {
  v1::Solution solution = TwoFiles();
  solution.mutable_sources(1)->set_path("solution.json");
  EXPECT_THAT(
      UnpackSolution(solution, Path("s")),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("rename it")));
}

TEST_F(PackTest, WhatIsMissingIsNamed) {
  EXPECT_THAT(PackSolution(Path("none")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("none")));
  ASSERT_OK(CreateDirectories(Path("s")));
  EXPECT_THAT(PackSolution(Path("s")), StatusIs(absl::StatusCode::kNotFound,
                                                HasSubstr("solution.json")));
  ASSERT_OK(UnpackSolution(TwoFiles(), Path("t")));
  ASSERT_EQ(unlink(Path("t/kernel.cpp").c_str()), 0);
  EXPECT_THAT(PackSolution(Path("t")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("kernel.cpp")));
}

TEST_F(PackTest, ABrokenDescriptionIsNamed) {
  ASSERT_OK(CreateDirectories(Path("s")));
  ASSERT_OK(WriteFileAtomically(Path("s/solution.json"), "{"));
  EXPECT_THAT(PackSolution(Path("s")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("solution.json: line 1, column 2")));
}

TEST_F(PackTest, LinksOutOfTheFolderAreRefused) {
  ASSERT_OK(UnpackSolution(TwoFiles(), Path("s")));
  ASSERT_EQ(unlink(Path("s/kernel.cpp").c_str()), 0);
  ASSERT_OK(WriteFileAtomically(Path("kernel.cpp"), "shared"));
  ASSERT_EQ(symlink("../kernel.cpp", Path("s/kernel.cpp").c_str()), 0);
  EXPECT_THAT(
      PackSolution(Path("s")),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("leads out")));
}

TEST_F(PackTest, LinksWithinTheTraceSetAreFollowed) {
  ASSERT_OK(CreateDirectories(Path("definitions")));
  ASSERT_OK(CreateDirectories(Path("common")));
  ASSERT_OK(UnpackSolution(TwoFiles(), Path("solutions/s")));
  ASSERT_EQ(unlink(Path("solutions/s/kernel.cpp").c_str()), 0);
  ASSERT_OK(WriteFileAtomically(Path("common/kernel.cpp"), "shared"));
  ASSERT_EQ(symlink("../../common/kernel.cpp",
                    Path("solutions/s/kernel.cpp").c_str()),
            0);
  ASSERT_OK_AND_ASSIGN(const v1::Solution packed,
                       PackSolution(Path("solutions/s")));
  EXPECT_EQ(packed.sources(0).content(), "shared");
}

}  // namespace
}  // namespace assay
