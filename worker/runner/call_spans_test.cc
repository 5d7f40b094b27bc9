#include "worker/runner/call_spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

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

// Of calls whose outputs are not returned.
absl::StatusOr<std::vector<CallSpan>> Spans(
    const std::vector<DeviceActivity>& activities, size_t calls) {
  return SpansOfCalls(activities, kMarkers, calls, /*copies_follow=*/false);
}

TEST(SpansOfCallsTest, OneKernelIsTheSpan) {
  EXPECT_THAT(Spans({Marker(100), Work(200, 230, 7), Marker(300)}, 1),
              IsOkAndHolds(ElementsAre(CallSpan{30, 0})));
}

TEST(SpansOfCallsTest, GapsBetweenKernelsCount) {
  EXPECT_THAT(
      Spans({Marker(100), Work(200, 210, 7), Work(250, 290, 7), Marker(300)},
            1),
      IsOkAndHolds(ElementsAre(CallSpan{90, 0})));
}

TEST(SpansOfCallsTest, StreamsThatOverlapCountOnce) {
  // The last to end is not the last to start.
  EXPECT_THAT(
      Spans({Marker(100), Work(200, 280, 7), Work(210, 230, 8), Marker(300)},
            1),
      IsOkAndHolds(ElementsAre(CallSpan{80, 0})));
}

TEST(SpansOfCallsTest, MarkersTellCallsApart) {
  EXPECT_THAT(Spans({Marker(100), Work(200, 230, 7), Marker(300), Marker(400),
                     Work(500, 501, 7), Marker(600)},
                    2),
              IsOkAndHolds(ElementsAre(CallSpan{30, 0}, CallSpan{1, 0})));
}

TEST(SpansOfCallsTest, OrderOfRecordsDoesNotMatter) {
  EXPECT_THAT(Spans({Work(500, 501, 7), Marker(300), Marker(600), Marker(100),
                     Work(200, 230, 7), Marker(400)},
                    2),
              IsOkAndHolds(ElementsAre(CallSpan{30, 0}, CallSpan{1, 0})));
}

TEST(SpansOfCallsTest, WorkBeforeACallIsOutside) {
  EXPECT_THAT(
      Spans({Work(50, 60, 7), Marker(100), Work(200, 230, 7), Marker(300),
             Work(350, 365, 7), Marker(400), Work(500, 501, 7), Marker(600)},
            2),
      IsOkAndHolds(ElementsAre(CallSpan{30, 10}, CallSpan{1, 15})));
}

TEST(SpansOfCallsTest, WorkAfterTheLastCallIsOutsideOfIt) {
  EXPECT_THAT(Spans({Marker(100), Work(200, 230, 7), Marker(300),
                     Work(700, 710, 7), Work(705, 725, 8)},
                    1),
              IsOkAndHolds(ElementsAre(CallSpan{30, 30})));
}

TEST(SpansOfCallsTest, WorkThatIsUnderWayWhenTheCallBeginsIsOutside) {
  // All of it, and it is no part of the call.
  EXPECT_THAT(
      Spans({Work(50, 260, 8), Marker(100), Work(200, 230, 7), Marker(300)}, 1),
      IsOkAndHolds(ElementsAre(CallSpan{30, 210})));
}

TEST(SpansOfCallsTest, WorkBesideTheMarkerBeforeACallIsOutside) {
  // The marker is from 100 to 105.
  EXPECT_THAT(
      Spans({Marker(100), Work(104, 150, 8), Work(200, 230, 7), Marker(300)},
            1),
      IsOkAndHolds(ElementsAre(CallSpan{30, 46})));
  EXPECT_THAT(Spans({Marker(100), Work(105, 150, 8), Marker(300)}, 1),
              IsOkAndHolds(ElementsAre(CallSpan{45, 0})));
}

TEST(SpansOfCallsTest, CopiesOfWhatWasReturnedAreNotOutside) {
  EXPECT_THAT(SpansOfCalls({Work(50, 60, 7), Marker(100), Work(200, 230, 7),
                            Marker(300), Work(350, 365, 7), Marker(400),
                            Work(500, 501, 7), Marker(600), Work(700, 710, 7)},
                           kMarkers, 2, /*copies_follow=*/true),
              IsOkAndHolds(ElementsAre(CallSpan{30, 10}, CallSpan{1, 0})));
}

TEST(SpansOfCallsTest, CallThatHasTheGpuDoNothingTakesNone) {
  EXPECT_THAT(Spans({Marker(100), Marker(200), Marker(300), Work(400, 410, 7),
                     Marker(500)},
                    2),
              IsOkAndHolds(ElementsAre(CallSpan{0, 0}, CallSpan{10, 0})));
}

TEST(SpansOfCallsTest, NoCallsNoSpans) {
  EXPECT_THAT(Spans({}, 0), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(Spans({Work(200, 230, 7)}, 0), IsOkAndHolds(IsEmpty()));
}

TEST(SpansOfCallsTest, MissingMarkerIsAnError) {
  EXPECT_THAT(Spans({Marker(100), Work(200, 230, 7)}, 1),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("1 markers around 1 calls, not 2")));
}

TEST(SpansOfCallsTest, MarkersOfMoreCallsAreAnError) {
  EXPECT_THAT(Spans({Marker(100), Marker(200), Marker(300), Work(350, 360, 7),
                     Marker(400)},
                    1),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("4 markers around 1 calls, not 2")));
}

TEST(SpansOfCallsTest, SameStreamNumberInAnotherContextMarksNothing) {
  EXPECT_THAT(Spans({Marker(100), {200, 230, {2, 13}}, Marker(300)}, 1),
              IsOkAndHolds(ElementsAre(CallSpan{30, 0})));
}

TEST(SpansOfCallsTest, WorkThatHasNotEndedIsTheCallsFault) {
  for (const int64_t start_ns : {0, 200}) {
    EXPECT_THAT(
        Spans({Marker(100), Work(start_ns, 0, 7), Marker(300)}, 1),
        StatusIs(absl::StatusCode::kFailedPrecondition,
                 HasSubstr("still running after the call had returned")));
  }
}

TEST(SpansOfCallsTest, ImpossibleTimesAreAnError) {
  for (const int64_t start_ns : {0, 250}) {
    EXPECT_THAT(Spans({Marker(100), Work(start_ns, 240, 7), Marker(300)}, 1),
                StatusIs(absl::StatusCode::kInternal,
                         HasSubstr("no time of the GPU's work")));
  }
}

}  // namespace
}  // namespace assay
