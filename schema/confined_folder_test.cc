#include "schema/confined_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "base/file.h"
#include "base/status_testing.h"
#include "schema/validate_testing.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ConfinedFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir temp, TempDir::Create("assay-confined-"));
    temp_ = std::make_unique<TempDir>(std::move(temp));
    ASSERT_OK(CreateDirectories(Path("root/a/b")));
    ASSERT_OK(WriteFileAtomically(Path("root/a/b/in.txt"), "inside"));
    ASSERT_OK(WriteFileAtomically(Path("out.txt"), "outside"));
    ASSERT_OK_AND_ASSIGN(folder_, ConfinedFolder::Open(Path("root")));
  }

  std::string Path(const std::string& relative) const {
    return temp_->path() + "/" + relative;
  }
  void Link(const std::string& target, const std::string& link) {
    ASSERT_EQ(symlink(target.c_str(), Path(link).c_str()), 0);
  }
  absl::StatusOr<std::string> Read(const std::string& path) {
    return folder_->ReadFile(path, 100);
  }

  std::unique_ptr<TempDir> temp_;
  std::unique_ptr<ConfinedFolder> folder_;
};

TEST_F(ConfinedFolderTest, ReadsWhatIsInside) {
  EXPECT_THAT(Read("a/b/in.txt"), IsOkAndHolds("inside"));
  EXPECT_TRUE(folder_->Contains("a/b/in.txt"));
  EXPECT_FALSE(folder_->Contains("a/b/other.txt"));
}

TEST_F(ConfinedFolderTest, LinksInsideAreFollowed) {
  Link("b/in.txt", "root/a/link.txt");
  Link("../a/link.txt", "root/a/again.txt");
  EXPECT_THAT(Read("a/link.txt"), IsOkAndHolds("inside"));
  EXPECT_THAT(Read("a/again.txt"), IsOkAndHolds("inside"));
}

TEST_F(ConfinedFolderTest, NothingLeadsOut) {
  Link("../../out.txt", "root/a/link.txt");
  Link(Path("out.txt"), "root/a/absolute.txt");
  Link("../..", "root/a/folder");
  for (const char* path :
       {"../out.txt", "a/../../out.txt", "a/link.txt", "a/absolute.txt",
        "a/folder/out.txt", "/etc/passwd"}) {
    EXPECT_THAT(Read(path), StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("leads out of the folder")))
        << path;
  }
  EXPECT_THAT(
      Read(std::string("a\0b", 3)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("leads out")));
}

TEST_F(ConfinedFolderTest, OpensAPathThatGoesUpWhileOthersRename) {
  // What the kernel takes for a possible escape goes on outside, too.
  const std::string names[] = {Path("outside1"), Path("outside2")};
  ASSERT_OK(CreateDirectories(names[0]));
  std::atomic<bool> done = false;
  std::thread other([&] {
    for (int i = 0; !done; ++i) {
      rename(names[i % 2].c_str(), names[(i + 1) % 2].c_str());
    }
  });
  absl::Status worst;
  for (int i = 0; i < 20000 && worst.ok(); ++i) {
    worst = folder_->OpenFile("a/b/../b/in.txt").status();
  }
  done = true;
  other.join();
  EXPECT_OK(worst);
}

TEST_F(ConfinedFolderTest, OddThingsAreErrors) {
  Link("loop", "root/loop");
  ASSERT_EQ(mkfifo(Path("root/fifo").c_str(), 0600), 0);
  EXPECT_FALSE(Read("loop").ok());
  EXPECT_THAT(Read("fifo"), StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("is not a file")));
  EXPECT_FALSE(Read("a").ok());
  EXPECT_THAT(Read("none"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("opening none")));
}

TEST_F(ConfinedFolderTest, FilesThatAreTooLargeAreRefused) {
  EXPECT_THAT(folder_->ReadFile("a/b/in.txt", 5),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("limit of 5 bytes")));
}

TEST_F(ConfinedFolderTest, ListsInOrder) {
  for (const char* path : {"root/a/z.txt", "root/a/b/a.txt", "root/a/y.json"}) {
    ASSERT_OK(WriteFileAtomically(Path(path), ""));
  }
  Link("z.txt", "root/a/l.txt");
  std::vector<Problem> problems;
  EXPECT_THAT(folder_->ListFiles("a", ".txt", problems),
              ElementsAre("a/b/a.txt", "a/b/in.txt", "a/l.txt", "a/z.txt"));
  EXPECT_THAT(folder_->ListFiles("none", ".txt", problems), IsEmpty());
  EXPECT_THAT(Texts(problems), IsEmpty());
}

TEST_F(ConfinedFolderTest, LinkedFoldersAreReportedAndNotEntered) {
  Link("..", "root/a/up");
  std::vector<Problem> problems;
  EXPECT_THAT(folder_->ListFiles("a", ".txt", problems),
              ElementsAre("a/b/in.txt"));
  EXPECT_THAT(problems, OnlyProblem("a/up: is a symbolic link to a folder"));
}

TEST_F(ConfinedFolderTest, VeryDeepFoldersAreLeftOut) {
  std::string path = "root/a";
  for (int i = 0; i < 40; ++i) path += "/d";
  ASSERT_OK(CreateDirectories(Path(path)));
  ASSERT_OK(WriteFileAtomically(Path(path + "/deep.txt"), ""));
  std::vector<Problem> problems;
  EXPECT_THAT(folder_->ListFiles("a", ".txt", problems),
              ElementsAre("a/b/in.txt"));
  EXPECT_THAT(problems, OnlyProblem("nested deeper than 32 folders"));
}

TEST(ConfinedFolderOpenTest, MissingFolderIsNotFound) {
  EXPECT_THAT(ConfinedFolder::Open("/no/such/folder"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such")));
}

}  // namespace
}  // namespace assay
