#include "client/cli/worker_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

v1::WorkerRecord Gpu() {
  v1::WorkerRecord record;
  record.set_worker_id("gpu-1");
  record.set_state(v1::WorkerRecord::IDLE);
  v1::Device& device = *record.mutable_device();
  device.set_kind("cuda");
  device.set_model("NVIDIA_H200");
  device.set_uuid("GPU-0b6e");
  device.set_architecture("sm_90a");
  device.set_memory_bytes(int64_t{100} << 30);
  device.set_timer(v1::CUPTI);
  (*device.mutable_libs())["driver"] = "580.95.05";
  (*device.mutable_libs())["cuda"] = "13.0";
  v1::Gpu& gpu = *device.mutable_gpu();
  gpu.set_total_memory_bytes(int64_t{140} << 30);
  gpu.set_l2_cache_bytes(50 << 20);
  gpu.set_multiprocessors(132);
  gpu.set_max_sm_clock_mhz(1980);
  gpu.set_max_memory_clock_mhz(3201);
  gpu.set_ecc_enabled(true);
  return record;
}

TEST(WorkerTextTest, StateWords) {
  EXPECT_EQ(WorkerStateWord(v1::WorkerRecord::UNWELL), "UNWELL");
  EXPECT_EQ(WorkerStateWord(static_cast<v1::WorkerRecord::State>(99)),
            "UNKNOWN");
}

TEST(WorkerTextTest, FactsAboutAGpu) {
  EXPECT_THAT(
      WorkerText(Gpu()),
      HasSubstr("model            NVIDIA_H200\n"
                "uuid             GPU-0b6e\n"
                "architecture     sm_90a\n"
                "memory           100.0 GiB of 140.0 GiB\n"
                "multiprocessors  132\n"
                "L2 cache         50.0 MiB\n"
                "clocks           SM up to 1980 MHz, memory up to 3201 MHz\n"
                "ECC              on\n"
                "timer            CUPTI\n"
                "libraries        cuda 13.0, driver 580.95.05\n"));
}

TEST(WorkerTextTest, WhatIsNotToldIsNotShown) {
  v1::WorkerRecord record = Gpu();
  v1::Device& device = *record.mutable_device();
  device.clear_timer();
  device.mutable_gpu()->Clear();
  EXPECT_THAT(WorkerText(record),
              AllOf(HasSubstr("memory        100.0 GiB\n"),
                    Not(HasSubstr("multiprocessors")), Not(HasSubstr("L2")),
                    Not(HasSubstr("clocks")), Not(HasSubstr("ECC")),
                    Not(HasSubstr("timer"))));
}

TEST(WorkerTextTest, EccThatIsOffIsTold) {
  v1::WorkerRecord record = Gpu();
  record.mutable_device()->mutable_gpu()->set_ecc_enabled(false);
  EXPECT_THAT(WorkerText(record), HasSubstr("ECC              off\n"));
}

TEST(WorkerTextTest, UnwellWorkerSaysWhy) {
  v1::WorkerRecord record = Gpu();
  EXPECT_THAT(WorkerText(record), Not(HasSubstr("unwell")));
  record.set_state(v1::WorkerRecord::UNWELL);
  record.set_unwell_reason("another process uses 3 GiB");
  EXPECT_THAT(WorkerText(record),
              HasSubstr("state            UNWELL\n"
                        "unwell because   another process uses 3 GiB\n"));
}

}  // namespace
}  // namespace assay
