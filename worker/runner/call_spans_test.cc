#include "worker/runner/call_spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr CuptiStream kMarkers = {1, 13};

DeviceActivity Marker(int64_t start_ns) {
  return {start_ns, start_ns + 5, kMarkers};
}

DeviceActivity Work(int64_t start_ns, int64_t end_ns, uint32_t stream_id) {
  return {start_ns, end_ns, {1, stream_id}};
}

TEST(SpansOfCallsTest, OneKernelIsTheSpan) {
  EXPECT_THAT(
      SpansOfCalls({Marker(100), Work(200, 230, 7), Marker(300)}, kMarkers, 1),
      IsOkAndHolds(ElementsAre(30)));
}

TEST(SpansOfCallsTest, GapsBetweenKernelsCount) {
  EXPECT_THAT(SpansOfCalls({Marker(100), Work(200, 210, 7), Work(250, 290, 7),
                            Marker(300)},
                           kMarkers, 1),
              IsOkAndHolds(ElementsAre(90)));
}

TEST(SpansOfCallsTest, StreamsThatOverlapCountOnce) {
  // The last to end is not the last to start.
  EXPECT_THAT(SpansOfCalls({Marker(100), Work(200, 280, 7), Work(210, 230, 8),
                            Marker(300)},
                           kMarkers, 1),
              IsOkAndHolds(ElementsAre(80)));
}

TEST(SpansOfCallsTest, MarkersTellCallsApart) {
  EXPECT_THAT(SpansOfCalls({Marker(100), Work(200, 230, 7), Marker(300),
                            Marker(400), Work(500, 501, 7), Marker(600)},
                           kMarkers, 2),
              IsOkAndHolds(ElementsAre(30, 1)));
}

TEST(SpansOfCallsTest, OrderOfRecordsDoesNotMatter) {
  EXPECT_THAT(SpansOfCalls({Work(500, 501, 7), Marker(300), Marker(600),
                            Marker(100), Work(200, 230, 7), Marker(400)},
                           kMarkers, 2),
              IsOkAndHolds(ElementsAre(30, 1)));
}

TEST(SpansOfCallsTest, WorkBetweenCallsIsNotCounted) {
  EXPECT_THAT(SpansOfCalls({Work(50, 60, 7), Marker(100), Work(200, 230, 7),
                            Marker(300), Work(350, 360, 7), Marker(400),
                            Work(500, 501, 7), Marker(600), Work(700, 710, 7)},
                           kMarkers, 2),
              IsOkAndHolds(ElementsAre(30, 1)));
}

TEST(SpansOfCallsTest, CallThatHasTheGpuDoNothingTakesNone) {
  EXPECT_THAT(SpansOfCalls({Marker(100), Marker(200), Marker(300),
                            Work(400, 410, 7), Marker(500)},
                           kMarkers, 2),
              IsOkAndHolds(ElementsAre(0, 10)));
}

TEST(SpansOfCallsTest, NoCallsNoSpans) {
  EXPECT_THAT(SpansOfCalls({}, kMarkers, 0), IsOkAndHolds(IsEmpty()));
}

TEST(SpansOfCallsTest, MissingMarkerIsAnError) {
  EXPECT_THAT(SpansOfCalls({Marker(100), Work(200, 230, 7)}, kMarkers, 1),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("1 markers around 1 calls, not 2")));
}

TEST(SpansOfCallsTest, MarkersOfMoreCallsAreAnError) {
  EXPECT_THAT(SpansOfCalls({Marker(100), Marker(200), Marker(300), Marker(400)},
                           kMarkers, 1),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("4 markers around 1 calls, not 2")));
}

TEST(SpansOfCallsTest, SameStreamNumberInAnotherContextMarksNothing) {
  EXPECT_THAT(SpansOfCalls({Marker(100), {200, 230, {2, 13}}, Marker(300)},
                           kMarkers, 1),
              IsOkAndHolds(ElementsAre(30)));
}

TEST(SpansOfCallsTest, WorkThatHasNotEndedIsTheCallsFault) {
  for (const int64_t start_ns : {0, 200}) {
    EXPECT_THAT(
        SpansOfCalls({Marker(100), Work(start_ns, 0, 7), Marker(300)}, kMarkers,
                     1),
        StatusIs(absl::StatusCode::kFailedPrecondition,
                 HasSubstr("still running after the call had returned")));
  }
}

TEST(SpansOfCallsTest, ImpossibleTimesAreAnError) {
  for (const int64_t start_ns : {0, 250}) {
    EXPECT_THAT(SpansOfCalls({Marker(100), Work(start_ns, 240, 7), Marker(300)},
                             kMarkers, 1),
                StatusIs(absl::StatusCode::kInternal,
                         HasSubstr("no time of the GPU's work")));
  }
}

}  // namespace
}  // namespace assay
