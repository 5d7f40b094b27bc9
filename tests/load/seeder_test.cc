#include "tests/load/seeder.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/status_testing.h"
#include "server/leaderboard/board.h"
#include "server/store/store.h"
#include "tests/load/samples.h"

namespace assay::load {
namespace {

using ::testing::_;

class SeederTest : public ::testing::Test {
 protected:
  SeederTest() {
    shape_.traces = 50;
    shape_.workloads = 3;
    shape_.solutions = 4;
    shape_.rounds = 2;
  }

  TempDir folder_ = TempDir::Create("assay-seed-").value();
  const std::string path_ = folder_.path() + "/assay.db";
  SeedShape shape_;
};

TEST_F(SeederTest, StoresWhatTheShapeSays) {
  ASSERT_OK(Seed(path_, shape_));
  Store::Options options;
  options.path = path_;
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(std::move(options)));
  ASSERT_OK_AND_ASSIGN(
      const v1::ListTracesResponse traces,
      store->WriteAndWait<v1::ListTracesResponse>([](Session& session) {
        return session.traces().List({}, Paging::Parse(1000, "", {}).value());
      }));
  EXPECT_EQ(traces.traces_size(), 50);
  EXPECT_EQ(DefinitionCount(shape_), 3);
  v1::GetLeaderboardRequest request;
  request.set_definition(DefinitionName(0));
  ASSERT_OK_AND_ASSIGN(
      const v1::Leaderboard board,
      store->WriteAndWait<v1::Leaderboard>(
          [&](Session& session) { return MakeLeaderboard(session, request); }));
  EXPECT_EQ(board.key().hardware(), kHardware);
  EXPECT_EQ(board.entries_size(), 4);
  EXPECT_EQ(board.workload_uuids_size(), 3);
}

TEST_F(SeederTest, LeavesNothingToDo) {
  ASSERT_OK(Seed(path_, shape_));
  Store::Options options;
  options.path = path_;
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(std::move(options)));
  ASSERT_OK_AND_ASSIGN(
      const v1::ListSubmissionsResponse active,
      store->WriteAndWait<v1::ListSubmissionsResponse>([](Session& session) {
        return session.submissions().List("", true,
                                          Paging::Parse(0, "", {}).value());
      }));
  EXPECT_EQ(active.submissions_size(), 0);
}

TEST_F(SeederTest, RefusesAStoreThatIsSeeded) {
  ASSERT_OK(Seed(path_, shape_));
  EXPECT_THAT(Seed(path_, shape_),
              StatusIs(absl::StatusCode::kAlreadyExists, _));
}

}  // namespace
}  // namespace assay::load
