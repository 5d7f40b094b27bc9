#include "worker/cuda/cupti.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

auto Activity(int64_t start_ns, int64_t end_ns, uint32_t context_id,
              uint32_t stream_id) {
  return AllOf(Field("start_ns", &DeviceActivity::start_ns, start_ns),
               Field("end_ns", &DeviceActivity::end_ns, end_ns),
               Field("stream", &DeviceActivity::stream,
                     CuptiStream{context_id, stream_id}));
}

template <typename Record>
Record MakeRecord(CUpti_ActivityKind kind, uint64_t start, uint64_t end,
                  uint32_t context_id, uint32_t stream_id) {
  Record record = {};
  record.kind = kind;
  record.start = start;
  record.end = end;
  record.contextId = context_id;
  record.streamId = stream_id;
  return record;
}

// What FakeNextRecord gives, in order.
std::vector<CUpti_Activity*> fake_records;

CUptiResult FakeNextRecord(uint8_t* buffer, size_t bytes,
                           CUpti_Activity** record) {
  size_t next = 0;
  while (*record != nullptr && fake_records[next++] != *record) {
  }
  if (next == fake_records.size()) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = fake_records[next];
  return CUPTI_SUCCESS;
}

TEST(ReadActivitiesTest, ReadsWhatTheGpuWorksOn) {
  auto kernel = MakeRecord<CUpti_ActivityKernel10>(
      CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 10, 20, 1, 7);
  auto copy = MakeRecord<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY, 30,
                                                40, 2, 8);
  auto peer_copy = MakeRecord<CUpti_ActivityMemcpyPtoP4>(
      CUPTI_ACTIVITY_KIND_MEMCPY2, 50, 60, 3, 9);
  auto memset = MakeRecord<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET,
                                                  70, 80, 4, 10);
  CUpti_Activity other = {};
  other.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  fake_records = {reinterpret_cast<CUpti_Activity*>(&kernel),
                  reinterpret_cast<CUpti_Activity*>(&copy), &other,
                  reinterpret_cast<CUpti_Activity*>(&peer_copy),
                  reinterpret_cast<CUpti_Activity*>(&memset)};
  EXPECT_THAT(ReadActivities(&FakeNextRecord, nullptr, 0),
              ElementsAre(Activity(10, 20, 1, 7), Activity(30, 40, 2, 8),
                          Activity(50, 60, 3, 9), Activity(70, 80, 4, 10)));
}

TEST(ReadActivitiesTest, EmptyBufferHasNone) {
  fake_records.clear();
  EXPECT_THAT(ReadActivities(&FakeNextRecord, nullptr, 0), IsEmpty());
}

// The one Start of this process.
TEST(CuptiTest, MissingLibraryIsNamed) {
  EXPECT_THAT(Cupti::Start("/nowhere/libcupti.so"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("CUPTI cannot be used"),
                             HasSubstr("\"/nowhere/libcupti.so\""))));
}

}  // namespace
}  // namespace assay
