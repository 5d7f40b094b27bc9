#include "client/cli/close_matches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CloseMatchesTest, NearestFirst) {
  EXPECT_THAT(CloseMatches("rmsnorm_h4095",
                           {"gemm_n128", "rmsnorm_h7168", "rmsnorm_h4096"}),
              ElementsAre("rmsnorm_h4096", "rmsnorm_h7168"));
}

TEST(CloseMatchesTest, ExcerptIsNear) {
  EXPECT_THAT(CloseMatches("rmsnorm", {"fused_add_rmsnorm_h4096", "gemm"}),
              ElementsAre("fused_add_rmsnorm_h4096"));
}

TEST(CloseMatchesTest, CaseDoesNotMatter) {
  EXPECT_THAT(CloseMatches("GEMM", {"gemm"}), ElementsAre("gemm"));
}

TEST(CloseMatchesTest, FarNamesAreNotOffered) {
  EXPECT_THAT(CloseMatches("softmax", {"gemm", "rope"}), IsEmpty());
}

TEST(CloseMatchesTest, AtMostThree) {
  EXPECT_THAT(CloseMatches("a1", {"a2", "a3", "a4", "a5"}),
              ElementsAre("a2", "a3", "a4"));
}

TEST(SuggestNamesTest, AsksWhatWasMeant) {
  EXPECT_EQ(SuggestNames("gem", {"gemm", "rope"}, "definitions"),
            "did you mean \"gemm\"?");
}

TEST(SuggestNamesTest, ListsSomeWhenNoneIsNear) {
  EXPECT_EQ(SuggestNames("zzzzzzz", {"aa", "bb", "cc", "dd"}, "definitions"),
            "the definitions are \"aa\", \"bb\", \"cc\" and 1 more");
}

TEST(SuggestNamesTest, SaysWhenThereAreNone) {
  EXPECT_EQ(SuggestNames("a", {}, "solutions"), "there are no solutions");
}

}  // namespace
}  // namespace assay
