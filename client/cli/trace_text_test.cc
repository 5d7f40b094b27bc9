#include "client/cli/trace_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// As measured on a steady GPU.
v1::TraceRecord Measured() {
  v1::TraceRecord record;
  v1::Evaluation& evaluation = *record.mutable_trace()->mutable_evaluation();
  evaluation.set_status(v1::PASSED);
  v1::Performance& performance = *evaluation.mutable_performance();
  performance.set_latency_ms(0.5);
  performance.set_latency_p10_ms(0.4);
  performance.set_latency_p90_ms(0.75);
  performance.set_num_samples(50);
  performance.set_timer(v1::CUPTI);
  performance.set_reference_latency_ms(1);
  performance.set_speedup_factor(2);
  return record;
}

v1::Performance& PerformanceOf(v1::TraceRecord& record) {
  return *record.mutable_trace()->mutable_evaluation()->mutable_performance();
}

TEST(TraceTextTest, LatencyNamesSpreadSamplesAndTimer) {
  const std::string text = TraceText(Measured());
  EXPECT_THAT(text, HasSubstr("latency    0.500 ms (10% below 0.400 ms, 90% "
                              "below 0.750 ms; 50 samples, CUPTI)\n"));
}

TEST(TraceTextTest, UnstableStandsBesideTheLatency) {
  v1::TraceRecord record = Measured();
  PerformanceOf(record).set_unstable(true);
  PerformanceOf(record).set_repeats(2);
  EXPECT_THAT(TraceText(record),
              HasSubstr("0.500 ms, unstable after 2 repeats (10% below"));
}

TEST(TraceTextTest, WhatTheDeviceCannotTellIsNotShown) {
  v1::TraceRecord record = Measured();
  PerformanceOf(record).mutable_device_state();
  EXPECT_THAT(TraceText(record),
              AllOf(Not(HasSubstr("host latency")), Not(HasSubstr("clocks")),
                    Not(HasSubstr("slowed down"))));
}

TEST(TraceTextTest, DeviceStateIsShown) {
  v1::TraceRecord record = Measured();
  PerformanceOf(record).set_host_latency_ms(0.625);
  v1::DeviceState& state = *PerformanceOf(record).mutable_device_state();
  state.set_min_sm_clock_mhz(1755);
  state.set_max_sm_clock_mhz(1980);
  state.set_memory_clock_mhz(2619);
  state.set_max_temperature_c(71);
  state.add_throttle_reasons("hardware_slowdown");
  state.add_throttle_reasons("power_cap");
  EXPECT_THAT(
      TraceText(record),
      HasSubstr(
          "host latency    0.625 ms wall-clock, until the device was "
          "idle\n"
          "clocks          SM 1755 to 1980 MHz, memory 2619 MHz, up to 71 "
          "C\n"
          "slowed down by  hardware slowdown, power cap\n"));
  state.set_min_sm_clock_mhz(1980);
  EXPECT_THAT(TraceText(record), HasSubstr("SM 1980 MHz, memory"));
}

TEST(TraceTextTest, FindingsAndReviewsAreShown) {
  v1::TraceRecord record = Measured();
  v1::Evaluation& evaluation = *record.mutable_trace()->mutable_evaluation();
  v1::Finding& finding = *evaluation.add_findings();
  finding.set_rule("below_floor");
  finding.set_evidence("too fast");
  finding.set_effect(v1::Finding::HOLD);
  evaluation.mutable_correctness()->set_matched_ratio(0.5);
  record.set_review_state(v1::Review::PENDING);
  const std::string held = TraceText(record);
  EXPECT_THAT(held, HasSubstr("below_floor (hold): too fast\n"));
  EXPECT_THAT(held, HasSubstr("held for review, does not rank until"));
  EXPECT_THAT(held, HasSubstr("50.00%\n"));
  v1::Review& review = *record.add_reviews();
  review.set_decision(v1::Review::REJECTED);
  review.set_reviewer("ops");
  review.set_reason("stores answers");
  review.set_time_us(1000000);
  record.set_review_state(v1::Review::REJECTED);
  EXPECT_THAT(TraceText(record),
              HasSubstr("rejected by ops, 1970-01-01 00:00:01 UTC: stores "
                        "answers\n"));
}

}  // namespace
}  // namespace assay
