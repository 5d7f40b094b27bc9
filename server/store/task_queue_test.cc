#include "server/store/task_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::_;

StoreTask Task(std::vector<absl::Status>& results) {
  return {[](Session&) { return absl::OkStatus(); },
          [&](absl::Status status) { results.push_back(std::move(status)); }};
}

TEST(TaskQueueTest, TakesUpToTheMaximum) {
  TaskQueue queue(10);
  std::vector<absl::Status> results;
  for (int i = 0; i < 3; ++i) queue.Post(Task(results));
  EXPECT_EQ(queue.Take(2).size(), 2u);
  EXPECT_EQ(queue.Take(2).size(), 1u);
  EXPECT_TRUE(results.empty());
}

TEST(TaskQueueTest, FullQueueRefusesAtOnce) {
  TaskQueue queue(1);
  std::vector<absl::Status> results;
  queue.Post(Task(results));
  queue.Post(Task(results));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_THAT(results[0], StatusIs(absl::StatusCode::kResourceExhausted, _));
}

TEST(TaskQueueTest, ClosedQueueIsEmptiedThenEnds) {
  TaskQueue queue(10);
  std::vector<absl::Status> results;
  queue.Post(Task(results));
  queue.Close();
  queue.Post(Task(results));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_THAT(results[0], StatusIs(absl::StatusCode::kUnavailable, _));
  EXPECT_EQ(queue.Take(5).size(), 1u);
  EXPECT_TRUE(queue.Take(5).empty());
}

}  // namespace
}  // namespace assay
