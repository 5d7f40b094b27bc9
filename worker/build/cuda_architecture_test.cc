#include "worker/build/cuda_architecture.h"

#include <gmock/gmock.h>

#include "base/status_testing.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;

CudaArchitecture Parsed(absl::string_view text) {
  const auto result = ParseCudaArchitecture(text);
  EXPECT_OK(result);
  return result.ok() ? *result : CudaArchitecture();
}

TEST(CudaArchitectureTest, ReadsWhatItWrites) {
  for (const char* text : {"7.5", "8.0", "8.9", "9.0a", "10.0f", "12.0a",
                           "8.0+PTX", "10.3a+PTX"}) {
    EXPECT_EQ(Parsed(text).Name(), text);
  }
}

TEST(CudaArchitectureTest, RefusesOtherSpellings) {
  for (const char* text :
       {"", "9", "90a", "sm_90a", "9.0b", "9.0A", "9.0aa", "9.", ".0", "9.0.1",
        "+9.0", "-9.0", "9. 0", "9.0+ptx", "100.0", "9.0a,code=sm_80"}) {
    EXPECT_THAT(ParseCudaArchitecture(text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("is not written like")))
        << text;
  }
}

TEST(CudaArchitectureTest, IsOneOptionOfTheCompiler) {
  EXPECT_EQ(Parsed("9.0a").GencodeOption(),
            "-gencode=arch=compute_90a,code=sm_90a");
  EXPECT_EQ(Parsed("8.0").GencodeOption(),
            "-gencode=arch=compute_80,code=sm_80");
  EXPECT_EQ(Parsed("10.0+PTX").GencodeOption(),
            "-gencode=arch=compute_100,code=[sm_100,compute_100]");
}

TEST(CudaArchitectureTest, HasTheNameThatSolutionsUse) {
  EXPECT_EQ(Parsed("9.0a").SmName(), "sm_90a");
  EXPECT_EQ(Parsed("12.0+PTX").SmName(), "sm_120");
}

TEST(CudaArchitectureTest, PlainCodeRunsOnLaterDevicesOfItsGeneration) {
  EXPECT_TRUE(Parsed("8.0").RunsOn(8, 0));
  EXPECT_TRUE(Parsed("8.0").RunsOn(8, 9));
  EXPECT_FALSE(Parsed("8.9").RunsOn(8, 0));
  EXPECT_FALSE(Parsed("8.0").RunsOn(9, 0));
}

TEST(CudaArchitectureTest, CodeForAllFeaturesRunsOnItsDeviceAlone) {
  EXPECT_TRUE(Parsed("10.0a").RunsOn(10, 0));
  EXPECT_FALSE(Parsed("10.0a").RunsOn(10, 3));
  EXPECT_FALSE(Parsed("10.0a+PTX").RunsOn(12, 0));
}

TEST(CudaArchitectureTest, CodeForAFamilyRunsOnItsGeneration) {
  EXPECT_TRUE(Parsed("10.0f").RunsOn(10, 3));
  EXPECT_FALSE(Parsed("10.0f").RunsOn(12, 0));
}

TEST(CudaArchitectureTest, PtxRunsOnEveryLaterDevice) {
  EXPECT_TRUE(Parsed("8.0+PTX").RunsOn(9, 0));
  EXPECT_FALSE(Parsed("9.0+PTX").RunsOn(8, 9));
}

TEST(CudaArchitectureTest, ListsMayBeSeparatedInSeveralWays) {
  for (const char* list :
       {"8.0 9.0a", "8.0;9.0a", "8.0,9.0a", " 8.0,  9.0a "}) {
    EXPECT_THAT(
        ParseCudaArchitectures(list),
        IsOkAndHolds(testing::ElementsAre(Parsed("8.0"), Parsed("9.0a"))))
        << list;
  }
}

TEST(CudaArchitectureTest, RefusesAListOfNone) {
  EXPECT_THAT(
      ParseCudaArchitectures(" ; "),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("names none")));
}

TEST(CudaArchitectureTest, WithoutAListTheDeviceDecides) {
  EXPECT_THAT(CudaArchitecturesFor("", 9, 0),
              IsOkAndHolds(testing::ElementsAre(Parsed("9.0a"))));
  EXPECT_THAT(CudaArchitecturesFor("", 12, 0),
              IsOkAndHolds(testing::ElementsAre(Parsed("12.0a"))));
  EXPECT_THAT(CudaArchitecturesFor("", 8, 6),
              IsOkAndHolds(testing::ElementsAre(Parsed("8.6"))));
}

TEST(CudaArchitectureTest, AListMayHaveMoreThanTheDeviceNeeds) {
  EXPECT_THAT(CudaArchitecturesFor("8.0 9.0a 10.0a", 9, 0),
              IsOkAndHolds(testing::SizeIs(3)));
}

TEST(CudaArchitectureTest, RefusesAListThatLeavesTheDeviceOut) {
  EXPECT_THAT(CudaArchitecturesFor("8.0 10.0a", 9, 0),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"8.0 10.0a\""),
                             HasSubstr("this device, which is 9.0"),
                             HasSubstr("add \"9.0a\""))));
}

}  // namespace
}  // namespace assay
