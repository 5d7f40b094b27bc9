#include "client/pager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Serves `pages` in order and remembers the tokens that were asked for.
Pager<int> PagerOver(std::vector<Page<int>> pages,
                     std::vector<std::string>& asked) {
  size_t next = 0;
  return Pager<int>(
      [pages = std::move(pages), &asked,
       next](const std::string& token) mutable -> absl::StatusOr<Page<int>> {
        asked.push_back(token);
        if (next == pages.size()) return absl::InternalError("no more pages");
        return pages[next++];
      });
}

TEST(PagerTest, WalksAllPagesWithTheirTokens) {
  std::vector<std::string> asked;
  Pager<int> pager = PagerOver({{{1, 2}, "a"}, {{3}, "b"}, {{4}, ""}}, asked);
  EXPECT_THAT(pager.Collect(), IsOkAndHolds(ElementsAre(1, 2, 3, 4)));
  EXPECT_THAT(asked, ElementsAre("", "a", "b"));
}

TEST(PagerTest, EmptyPageInTheMiddleIsNotTheEnd) {
  std::vector<std::string> asked;
  Pager<int> pager = PagerOver({{{1}, "a"}, {{}, "b"}, {{2}, ""}}, asked);
  EXPECT_THAT(pager.Collect(), IsOkAndHolds(ElementsAre(1, 2)));
}

TEST(PagerTest, NothingAtAll) {
  std::vector<std::string> asked;
  Pager<int> pager = PagerOver({{{}, ""}}, asked);
  EXPECT_THAT(pager.Collect(), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(pager.Next(), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(asked, ElementsAre(""));
}

TEST(PagerTest, LimitStopsBeforeTheNextPage) {
  std::vector<std::string> asked;
  Pager<int> pager = PagerOver({{{1, 2}, "a"}, {{3}, ""}}, asked);
  EXPECT_THAT(pager.Collect(2), IsOkAndHolds(ElementsAre(1, 2)));
  EXPECT_THAT(asked, ElementsAre(""));
}

TEST(PagerTest, ForEachStopsWhenTold) {
  std::vector<std::string> asked;
  Pager<int> pager = PagerOver({{{1, 2, 3}, ""}}, asked);
  std::vector<int> seen;
  EXPECT_OK(pager.ForEach([&](int item) {
    seen.push_back(item);
    return item < 2;
  }));
  EXPECT_THAT(seen, ElementsAre(1, 2));
}

TEST(PagerTest, ErrorOfAPageIsReturned) {
  std::vector<std::string> asked;
  Pager<int> pager = PagerOver({{{1}, "a"}}, asked);
  EXPECT_THAT(pager.Collect(),
              StatusIs(absl::StatusCode::kInternal, "no more pages"));
}

TEST(PagerTest, ServerThatRepeatsATokenIsAnError) {
  std::vector<std::string> asked;
  Pager<int> pager = PagerOver({{{1}, "a"}, {{2}, "a"}}, asked);
  EXPECT_THAT(pager.Collect(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("\"a\"")));
}

}  // namespace
}  // namespace assay
