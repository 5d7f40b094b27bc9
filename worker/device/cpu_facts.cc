#include "worker/device/cpu_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/file.h"

namespace assay {
namespace {

constexpr int64_t kDefaultL2Bytes = 2 << 20;

std::string ReadOr(const std::string& path, absl::string_view fallback) {
  absl::StatusOr<std::string> text = ReadFile(path);
  return text.ok() ? *std::move(text) : std::string(fallback);
}

// "key:   value" of a /proc file; empty when the key is missing.
std::string FieldOf(absl::string_view text, absl::string_view key) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 1));
    if (absl::StripAsciiWhitespace(parts.first) == key) {
      return std::string(absl::StripAsciiWhitespace(parts.second));
    }
  }
  return "";
}

int64_t AvailableBytes() {
  int64_t bytes = 0;
  const std::string field =
      FieldOf(ReadOr("/proc/meminfo", ""), "MemAvailable");
  const absl::string_view number =
      absl::StripSuffix(absl::string_view(field), " kB");
  if (absl::SimpleAtoi(number, &bytes)) bytes *= 1024;
  int64_t limit = 0;
  const std::string cgroup = ReadOr("/sys/fs/cgroup/memory.max", "max");
  if (absl::SimpleAtoi(absl::StripAsciiWhitespace(cgroup), &limit)) {
    bytes = std::min(bytes, limit);
  }
  return bytes;
}

}  // namespace

std::string CpuModelFrom(absl::string_view cpuinfo) {
  const std::string name =
      absl::StrReplaceAll(FieldOf(cpuinfo, "model name"),
                          {{"(R)", ""}, {"(TM)", ""}, {"(tm)", ""}});
  const std::vector<absl::string_view> words =
      absl::StrSplit(name, ' ', absl::SkipEmpty());
  if (words.empty()) return "unknown_cpu";
  return absl::StrJoin(words, "_");
}

CpuFacts ReadCpuFacts() {
  CpuFacts facts;
  facts.model = CpuModelFrom(ReadOr("/proc/cpuinfo", ""));
  facts.machine_id =
      std::string(absl::StripAsciiWhitespace(ReadOr("/etc/machine-id", "")));
  utsname machine;
  facts.architecture = uname(&machine) == 0 ? machine.machine : "unknown";
  facts.available_bytes = AvailableBytes();
  const long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  facts.l2_bytes = l2 > 0 ? l2 : kDefaultL2Bytes;
  return facts;
}

}  // namespace assay
