#include "client/config/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(YamlTest, NodesKnowTheirLines) {
  ASSERT_OK_AND_ASSIGN(const YamlNode root,
                       ParseYaml("# first\na: 1\nb:\n  c: 'x y'\n  d: [1, "
                                 "2]\ne:\n"));
  ASSERT_EQ(root.kind, YamlNode::kMap);
  ASSERT_EQ(root.entries.size(), 3);
  EXPECT_EQ(root.entries[0].first, "a");
  EXPECT_EQ(root.entries[0].second.text, "1");
  EXPECT_EQ(root.entries[0].second.line, 2);
  const YamlNode& b = root.entries[1].second;
  EXPECT_EQ(b.entries[0].second.text, "x y");
  EXPECT_EQ(b.entries[0].second.line, 4);
  EXPECT_EQ(b.entries[1].second.items.size(), 2);
  EXPECT_EQ(root.entries[2].second.kind, YamlNode::kNull);
  EXPECT_EQ(root.entries[2].second.line, 6);
}

TEST(YamlTest, NothingIsNull) {
  ASSERT_OK_AND_ASSIGN(YamlNode root, ParseYaml(""));
  EXPECT_EQ(root.kind, YamlNode::kNull);
  ASSERT_OK_AND_ASSIGN(root, ParseYaml("# only this\n---\n"));
  EXPECT_EQ(root.kind, YamlNode::kNull);
}

TEST(YamlTest, SaysInWhichLineWhatIsWrong) {
  const struct {
    std::string text;
    const char* line;
    const char* what;
  } cases[] = {
      {"a: 1\nb: [1, 2\n", "line 3: ", "','"},
      {"a: 1\n\tb: 2\n", "line 2: ", "tab character"},
      {"a: 1\na: 2\n", "line 2: ", "\"a\" stands twice"},
      {"a: &x 1\nb: *x\n", "line 2: ", "alias"},
      {"a: 1\n---\nb: 2\n", "line 2: ", "second document"},
      {"a: 1\n[1]: 2\n", "line 2: ", "key must be a word"},
      {absl::StrCat("a: 1\nb: ", std::string(40, '[')), "line 2: ", "deeply"},
      {"a: \"\xff\"\n", "line 1: ", "UTF-8"},
  };
  for (const auto& [text, line, what] : cases) {
    const absl::Status status = ParseYaml(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    const std::string message(status.message());
    EXPECT_THAT(message, StartsWith(line)) << text;
    EXPECT_THAT(message, HasSubstr(what)) << text;
  }
}

}  // namespace
}  // namespace assay
