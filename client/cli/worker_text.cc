#include "client/cli/worker_text.h"

#include <map>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/fields.h"
#include "client/cli/units.h"

namespace assay {
namespace {

std::string Languages(const v1::Device& device) {
  std::vector<std::string> words;
  for (const int value : device.languages()) {
    const auto language = static_cast<v1::BuildSpec::Language>(value);
    words.push_back(
        absl::AsciiStrToLower(v1::BuildSpec::Language_Name(language)));
  }
  return absl::StrJoin(words, ", ");
}

std::string Bindings(const v1::Device& device) {
  std::vector<std::string> words;
  for (const int value : device.bindings()) {
    const auto binding = static_cast<v1::BuildSpec::Binding>(value);
    words.push_back(absl::StrReplaceAll(
        absl::AsciiStrToLower(v1::BuildSpec::Binding_Name(binding)),
        {{"_", "-"}}));
  }
  return absl::StrJoin(words, ", ");
}

// "139.0 GiB of 140.4 GiB": what evaluations may use, and what there is.
std::string Memory(const v1::Device& device) {
  const std::string usable = FormatBytes(device.memory_bytes());
  if (device.gpu().total_memory_bytes() <= 0) return usable;
  return absl::StrCat(usable, " of ",
                      FormatBytes(device.gpu().total_memory_bytes()));
}

// "SM up to 1980 MHz, memory up to 2619 MHz"; of what is known.
std::string HighestClocks(const v1::Gpu& gpu) {
  std::vector<std::string> parts;
  if (gpu.max_sm_clock_mhz() > 0) {
    parts.push_back(absl::StrCat("SM up to ", gpu.max_sm_clock_mhz(), " MHz"));
  }
  if (gpu.max_memory_clock_mhz() > 0) {
    parts.push_back(
        absl::StrCat("memory up to ", gpu.max_memory_clock_mhz(), " MHz"));
  }
  return absl::StrJoin(parts, ", ");
}

void AddGpu(const v1::Gpu& gpu, Fields& fields) {
  if (gpu.multiprocessors() > 0) {
    fields.Add("multiprocessors", absl::StrCat(gpu.multiprocessors()));
  }
  if (gpu.l2_cache_bytes() > 0) {
    fields.Add("L2 cache", FormatBytes(gpu.l2_cache_bytes()));
  }
  fields.Add("clocks", HighestClocks(gpu));
  if (gpu.has_ecc_enabled()) {
    fields.Add("ECC", gpu.ecc_enabled() ? "on" : "off");
  }
}

// Empty for a worker that does not say.
std::string TimerText(v1::Timer timer) {
  return timer == v1::TIMER_UNSPECIFIED ? "" : TimerName(timer);
}

}  // namespace

std::string WorkerStateWord(v1::WorkerRecord::State state) {
  return v1::WorkerRecord::State_IsValid(state)
             ? v1::WorkerRecord::State_Name(state)
             : "UNKNOWN";
}

std::string WorkerText(const v1::WorkerRecord& record) {
  const v1::Device& device = record.device();
  // A map of protobuf has no order of its own.
  const std::map<std::string, std::string> libs(device.libs().begin(),
                                                device.libs().end());
  Fields fields;
  fields.Add("id", record.worker_id())
      .Add("state", WorkerStateWord(record.state()))
      .Add("unwell because", record.unwell_reason())
      .Add("held back because", record.hold_reason())
      .Add("lease", record.lease_id())
      .Add("version", record.version())
      .Add("device", device.kind())
      .Add("model", device.model())
      .Add("uuid", device.uuid())
      .Add("architecture", device.architecture())
      .Add("memory", Memory(device));
  if (device.has_gpu()) AddGpu(device.gpu(), fields);
  fields.Add("timer", TimerText(device.timer()))
      .Add("languages", Languages(device))
      .Add("bindings", Bindings(device))
      .Add("labels", absl::StrJoin(device.labels(), ", "))
      .Add("libraries", absl::StrJoin(libs, ", ", absl::PairFormatter(" ")))
      .Add("registered",
           absl::StrCat(FormatTime(record.register_time_us()), " UTC"))
      .Add("last seen",
           absl::StrCat(FormatTime(record.last_seen_time_us()), " UTC"));
  return fields.Render();
}

}  // namespace assay
