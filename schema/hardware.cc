#include "schema/hardware.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace assay {
namespace {

// People write "NVIDIA H200", "nvidia-h200" and "NVIDIA_H200".
std::string Normalized(absl::string_view word) {
  std::string result = absl::AsciiStrToLower(word);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c == ' ' || c == '-'; },
      '_');
  return result;
}

absl::string_view WithoutVendor(absl::string_view model) {
  absl::ConsumePrefix(&model, "nvidia_");
  return model;
}

// "NVIDIA_H100" names every H100, "NVIDIA_H100_80GB_HBM3" one kind of it.
bool ModelMatches(absl::string_view word, absl::string_view model) {
  word = WithoutVendor(word);
  model = WithoutVendor(model);
  if (word.empty() || !absl::ConsumePrefix(&model, word)) return false;
  return model.empty() || model.front() == '_';
}

// Code for sm_90 runs where code for sm_90a does.
bool ArchitectureMatches(absl::string_view word,
                         absl::string_view architecture) {
  if (word.empty() || !absl::ConsumePrefix(&architecture, word)) return false;
  return architecture.empty() ||
         (absl::StartsWith(word, "sm_") && architecture == "a");
}

bool KindMatches(absl::string_view word, absl::string_view kind) {
  return word == kind || (word == "gpu" && kind == "cuda");
}

}  // namespace

bool HardwareMatches(absl::string_view word, const v1::Device& device) {
  const std::string wanted = Normalized(word);
  if (wanted == "local") return true;
  if (KindMatches(wanted, Normalized(device.kind())) ||
      ModelMatches(wanted, Normalized(device.model())) ||
      ArchitectureMatches(wanted, Normalized(device.architecture()))) {
    return true;
  }
  return std::any_of(device.labels().begin(), device.labels().end(),
                     [&](const std::string& label) {
                       return !label.empty() && Normalized(label) == wanted;
                     });
}

bool AnyHardwareMatches(
    const google::protobuf::RepeatedPtrField<std::string>& words,
    const v1::Device& device) {
  return words.empty() ||
         std::any_of(words.begin(), words.end(), [&](const std::string& word) {
           return HardwareMatches(word, device);
         });
}

std::string HardwareKind(absl::string_view word) {
  const std::string name = Normalized(word);
  for (absl::string_view cpu : {"cpu", "x86_64", "aarch64"}) {
    if (name == cpu) return "cpu";
  }
  for (absl::string_view cpu : {"amd_epyc", "amd_ryzen", "intel_xeon"}) {
    if (absl::StartsWith(name, cpu)) return "cpu";
  }
  if (name == "cuda" || name == "gpu") return "cuda";
  for (absl::string_view gpu : {"sm_", "nvidia_"}) {
    if (absl::StartsWith(name, gpu)) return "cuda";
  }
  return "";
}

}  // namespace assay
