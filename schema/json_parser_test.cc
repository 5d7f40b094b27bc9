#include "schema/json_parser.h"

#include <string>

#include "base/status_testing.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(ParseJsonTest, KeepsTheOrderOfMembers) {
  ASSERT_OK_AND_ASSIGN(const Json json,
                       ParseJson(R"({"z": 1, "a": {"y": 2, "b": [3, null]}})"));
  EXPECT_EQ(DumpJson(json), R"({"z":1,"a":{"y":2,"b":[3,null]}})");
}

TEST(ParseJsonTest, KeepsTheTypesOfNumbers) {
  ASSERT_OK_AND_ASSIGN(
      const Json json,
      ParseJson("[1, 1.0, -9223372036854775808, 9223372036854775807, true]"));
  EXPECT_EQ(DumpJson(json),
            "[1,1.0,-9223372036854775808,9223372036854775807,true]");
}

TEST(ParseJsonTest, SyntaxErrorsNameLineAndColumn) {
  const struct {
    const char* text;
    const char* place;
    const char* explanation;
  } kCases[] = {
      {"", "line 1, column 1: ", "unexpected end of input"},
      {"{", "line 1, column 2: ", "unexpected end of input, expected string"},
      {"{\n  \"a\": 1,\n}", "line 3, column 1: ", "unexpected '}'"},
      {"{\"a\" 1}", "line 1, column 6: ", "expected ':'"},
      {"[1 2]", "line 1, column 4: ", "expected ']'"},
      {"[01]", "line 1, column 3: ", "expected ']'"},
      {"1 2", "line 1, column 3: ", "expected end of input"},
      {"{'a': 1}", "line 1, column 2: ", "invalid literal"},
      {"\"a\nb\"", "line 1, column 3: ", "control character"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(ParseJson(c.text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(c.place), HasSubstr(c.explanation))))
        << c.text;
  }
}

TEST(ParseJsonTest, NanAndInfinityAreExplained) {
  for (const char* text : {"[NaN]", "[Infinity]", "[-Infinity]"}) {
    EXPECT_THAT(ParseJson(text), StatusIs(absl::StatusCode::kInvalidArgument,
                                          HasSubstr("line 1, column ")))
        << text;
  }
  EXPECT_THAT(ParseJson("[NaN]"), StatusIs(absl::StatusCode::kInvalidArgument,
                                           HasSubstr("as strings")));
}

TEST(ParseJsonTest, NumbersOutOfRangeAreRefused) {
  EXPECT_THAT(ParseJson("[1e999]"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("line 1"), HasSubstr("1e999"))));
}

TEST(ParseJsonTest, TextThatIsNoUtf8IsRefused) {
  EXPECT_THAT(ParseJson("\"\xff\""),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("UTF-8")));
  EXPECT_THAT(ParseJson("\"\xed\xa0\x80\""),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("UTF-8")));
}

TEST(ParseJsonTest, AMemberGivenTwiceIsNamedWithItsPath) {
  EXPECT_THAT(ParseJson(R"({"a": [0, {"x": 1, "y": 2, "x": 3}]})"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("$.a[1]: member \"x\" is given twice")));
  EXPECT_OK(ParseJson(R"([{"x": 1}, {"x": 2}, {"y": {"x": 1}}])"));
}

TEST(ParseJsonTest, NulIsRefusedInNamesAndValues) {
  EXPECT_THAT(ParseJson("{\"a\": [1, \"x\\u0000y\"]}"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("$.a[1]: contains a NUL")));
  EXPECT_THAT(ParseJson(R"({"a": {"x\u0000": 1}})"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("$.a: a member's name contains a NUL")));
}

TEST(ParseJsonTest, DepthIsLimited) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_OK(ParseJson(nested(64)));
  EXPECT_THAT(ParseJson(nested(65)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("deeper than the limit of 64")));
  EXPECT_THAT(ParseJson(nested(1000000)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("deeper than the limit of 64")));
}

TEST(ParseJsonTest, SizeAndNumberOfValuesAreLimited) {
  JsonLimits limits;
  limits.max_bytes = 10;
  EXPECT_OK(ParseJson("[1,2,3,45]", limits));
  EXPECT_THAT(
      ParseJson("[1,2,3,456]", limits),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has 11 bytes")));
  limits = {};
  limits.max_values = 3;
  EXPECT_OK(ParseJson("[1,2]", limits));
  EXPECT_THAT(ParseJson("[1,2,3]", limits),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("more than the limit of 3 values")));
}

TEST(DumpJsonTest, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(DumpJson(Json("a\xff"
                          "b")),
            "\"a\xef\xbf\xbd"
            "b\"");
}

TEST(JsonExcerptTest, IsShort) {
  EXPECT_EQ(JsonExcerpt(Json::object()), "an object");
  EXPECT_EQ(JsonExcerpt(Json(12)), "12");
  EXPECT_EQ(JsonExcerpt(Json("a\nb")), "\"a\\nb\"");
  EXPECT_THAT(JsonExcerpt(Json(std::string(500, 'x'))),
              AllOf(testing::SizeIs(testing::Lt(100)), HasSubstr("...")));
}

}  // namespace
}  // namespace assay
