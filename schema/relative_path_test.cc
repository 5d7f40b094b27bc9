#include "schema/relative_path.h"

#include <string>

#include "base/status_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;

TEST(CheckRelativePathTest, GoodPaths) {
  for (const char* path :
       {"a", "kernel.cu", "src/a b/kernel.cu", "..a", "a..", "...", "é.py"}) {
    EXPECT_OK(CheckRelativePath(path)) << path;
  }
}

TEST(CheckRelativePathTest, BadPathsSayWhy) {
  const struct {
    std::string path;
    const char* fault;
  } kCases[] = {
      {"", "empty"},
      {"/etc/passwd", "absolute"},
      {"../a", "\"..\""},
      {"a/../b", "\"..\""},
      {"a/..", "\"..\""},
      {"./a", "\".\""},
      {"a/./b", "\".\""},
      {".", "\".\""},
      {"a//b", "empty part"},
      {"a/", "empty part"},
      {"a\\b", "backslash"},
      {std::string("a\0b", 3), "control character"},
      {"a\nb", "control character"},
      {std::string(1001, 'a'), "1000 bytes"},
      {std::string(256, 'a'), "255 bytes"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(
        CheckRelativePath(c.path),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(c.fault)))
        << c.path;
  }
}

TEST(WithoutDotSlashTest, RemovesOne) {
  EXPECT_EQ(WithoutDotSlash("./a/b"), "a/b");
  EXPECT_EQ(WithoutDotSlash("a/b"), "a/b");
  EXPECT_EQ(WithoutDotSlash("././a"), "./a");
}

}  // namespace
}  // namespace assay
