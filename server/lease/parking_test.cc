#include "server/lease/parking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class ParkingTest : public ::testing::Test {
 protected:
  class Waiter final : public Parking::Waiter {
   public:
    Waiter(std::string name, std::vector<std::string>& log)
        : name_(std::move(name)), log_(log) {}
    void OnJobs() override { log_.push_back(name_); }
    void OnTimeout() override { log_.push_back(name_ + " timeout"); }

   private:
    const std::string name_;
    std::vector<std::string>& log_;
  };

  std::shared_ptr<Waiter> Park(const std::string& name,
                               const std::string& device_class,
                               absl::Duration deadline = absl::Seconds(20)) {
    auto waiter = std::make_shared<Waiter>(name, log_);
    EXPECT_TRUE(
        parking_.Park(waiter, parking_.generation(), deadline, device_class));
    return waiter;
  }

  Parking parking_;
  std::vector<std::string> log_;
};

TEST_F(ParkingTest, JobsWakeTheLongestWaitingOfEachClass) {
  Park("a1", "a");
  Park("a2", "a");
  Park("b1", "b");
  parking_.Wake();
  EXPECT_THAT(log_, UnorderedElementsAre("a1", "b1"));
  EXPECT_EQ(parking_.size(), 1);
}

TEST_F(ParkingTest, OneThatFoundSomethingWakesTheNextOfItsClass) {
  for (const char* name : {"a1", "a2", "a3", "a4"}) Park(name, "a");
  Park("b1", "b");
  parking_.WakeNext("a", 3);
  EXPECT_THAT(log_, ElementsAre("a1", "a2", "a3"));
  parking_.WakeNext("a", 3);
  EXPECT_THAT(log_, ElementsAre("a1", "a2", "a3", "a4"));
  parking_.WakeNext("c", 1);
  EXPECT_EQ(parking_.size(), 1);
}

TEST_F(ParkingTest, JobsSinceTheLookKeepFromParking) {
  const int64_t generation = parking_.generation();
  parking_.Wake();
  EXPECT_FALSE(parking_.Park(std::make_shared<Waiter>("a", log_), generation,
                             absl::Seconds(20), "a"));
  EXPECT_EQ(parking_.size(), 0);
}

TEST_F(ParkingTest, RemovedWaiterIsNotWoken) {
  const auto removed = Park("a1", "a");
  Park("a2", "a");
  parking_.Remove(removed.get());
  parking_.Remove(removed.get());
  parking_.Wake();
  EXPECT_THAT(log_, ElementsAre("a2"));
}

TEST_F(ParkingTest, EveryoneIsWokenOnce) {
  Park("a1", "a");
  Park("a2", "a");
  Park("b1", "b");
  parking_.WakeAll();
  parking_.WakeAll();
  EXPECT_THAT(log_, UnorderedElementsAre("a1", "a2", "b1"));
}

TEST_F(ParkingTest, WaitEndsAtItsDeadline) {
  Park("long", "a", absl::Seconds(20));
  Park("short", "a", absl::Seconds(10));
  parking_.WakeDue(absl::Seconds(9));
  EXPECT_THAT(log_, IsEmpty());
  parking_.WakeDue(absl::Seconds(10));
  EXPECT_THAT(log_, ElementsAre("short timeout"));
  EXPECT_EQ(parking_.size(), 1);
}

}  // namespace
}  // namespace assay
