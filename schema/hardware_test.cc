#include "schema/hardware.h"

#include <gmock/gmock.h>

#include "assay/v1/device.pb.h"

namespace assay {
namespace {

v1::Device H100() {
  v1::Device device;
  device.set_kind("cuda");
  device.set_model("NVIDIA_H100_80GB_HBM3");
  device.set_architecture("sm_90a");
  device.add_labels("rack-7");
  return device;
}

v1::Device Cpu() {
  v1::Device device;
  device.set_kind("cpu");
  device.set_model("AMD_EPYC_9554");
  device.set_architecture("x86_64");
  return device;
}

TEST(HardwareMatchesTest, WordsThatMatchAnH100) {
  for (const char* word : {"cuda", "CUDA", "gpu", "NVIDIA_H100_80GB_HBM3",
                           "NVIDIA_H100", "nvidia h100", "H100", "sm_90a",
                           "sm_90", "LOCAL", "local", "rack-7", "RACK_7"}) {
    EXPECT_TRUE(HardwareMatches(word, H100())) << word;
  }
}

TEST(HardwareMatchesTest, WordsThatDoNotMatchAnH100) {
  for (const char* word : {"", "cpu", "NVIDIA_H10", "NVIDIA_H200", "H1", "sm_9",
                           "sm_80", "sm_90f", "NVIDIA_", "rack", "x86_64"}) {
    EXPECT_FALSE(HardwareMatches(word, H100())) << word;
  }
}

TEST(HardwareMatchesTest, CpuIsNoGpu) {
  EXPECT_TRUE(HardwareMatches("cpu", Cpu()));
  EXPECT_TRUE(HardwareMatches("AMD_EPYC", Cpu()));
  EXPECT_TRUE(HardwareMatches("x86_64", Cpu()));
  EXPECT_FALSE(HardwareMatches("gpu", Cpu()));
  EXPECT_FALSE(HardwareMatches("cuda", Cpu()));
}

TEST(HardwareMatchesTest, NothingMatchesADeviceThatSaysNothing) {
  EXPECT_FALSE(HardwareMatches("cpu", v1::Device()));
  EXPECT_FALSE(HardwareMatches("H100", v1::Device()));
}

TEST(AnyHardwareMatchesTest, OneWordSuffices) {
  google::protobuf::RepeatedPtrField<std::string> words;
  EXPECT_TRUE(AnyHardwareMatches(words, H100()));
  *words.Add() = "cpu";
  EXPECT_FALSE(AnyHardwareMatches(words, H100()));
  *words.Add() = "cuda";
  EXPECT_TRUE(AnyHardwareMatches(words, H100()));
}

TEST(HardwareKindTest, TellsTheKindOfAWord) {
  EXPECT_EQ(HardwareKind("cpu"), "cpu");
  EXPECT_EQ(HardwareKind("AMD EPYC 9554"), "cpu");
  EXPECT_EQ(HardwareKind("cuda"), "cuda");
  EXPECT_EQ(HardwareKind("NVIDIA_B200"), "cuda");
  EXPECT_EQ(HardwareKind("sm_100a"), "cuda");
  EXPECT_EQ(HardwareKind("LOCAL"), "");
  EXPECT_EQ(HardwareKind("something"), "");
}

}  // namespace
}  // namespace assay
