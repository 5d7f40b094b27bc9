#include "server/store/paging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::HasSubstr;

int RowsThatFit(Paging paging, int64_t bytes) {
  int rows = 0;
  while (rows < 5000 && paging.Take(bytes)) ++rows;
  return rows;
}

TEST(PagingTest, SizeIsDefaultedAndCapped) {
  for (const auto& [given, want] : {std::pair{0, 50},
                                    {1, 1},
                                    {1000, 1000},
                                    {1001, 1000},
                                    {1 << 30, 1000}}) {
    ASSERT_OK_AND_ASSIGN(const Paging paging, Paging::Parse(given, "", {"q"}));
    EXPECT_EQ(RowsThatFit(paging, 1), want) << given;
  }
}

TEST(PagingTest, NegativeSizeIsRefused) {
  EXPECT_THAT(Paging::Parse(-1, "", {"q"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("page_size \"-1\"")));
}

TEST(PagingTest, LargeRowsEndThePageEarly) {
  ASSERT_OK_AND_ASSIGN(const Paging paging, Paging::Parse(0, "", {"q"}));
  EXPECT_EQ(RowsThatFit(paging, Paging::kMaxBytes / 4), 4);
  EXPECT_EQ(RowsThatFit(paging, Paging::kMaxBytes * 2), 1);
}

TEST(PagingTest, TokenCarriesTheKey) {
  ASSERT_OK_AND_ASSIGN(const Paging first, Paging::Parse(0, "", {"q", "a"}));
  EXPECT_TRUE(first.first());
  ASSERT_OK_AND_ASSIGN(const Paging second,
                       Paging::Parse(0, first.Token("42"), {"q", "a"}));
  EXPECT_FALSE(second.first());
  EXPECT_EQ(second.after(), "42");
  EXPECT_EQ(second.after_number(), 42);
}

TEST(PagingTest, TokenOfAnotherQueryIsRefused) {
  ASSERT_OK_AND_ASSIGN(const Paging paging, Paging::Parse(0, "", {"q", "a"}));
  const std::string token = paging.Token("key");
  for (const auto& query :
       {std::initializer_list<absl::string_view>{"q", "b"}, {"qa"}, {"q"}}) {
    EXPECT_THAT(
        Paging::Parse(0, token, query),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("page_token")));
  }
}

TEST(PagingTest, GarbageTokenIsRefused) {
  for (const char* token : {"x", "!!!!", "AAAA", "////////////////////////"}) {
    EXPECT_THAT(Paging::Parse(0, token, {"q"}),
                StatusIs(absl::StatusCode::kInvalidArgument, _))
        << token;
  }
}

}  // namespace
}  // namespace assay
