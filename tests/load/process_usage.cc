#include "tests/load/process_usage.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace assay::load {
namespace {

constexpr int64_t kBytesPerKb = 1024;

void ReadStatus(const std::string& folder, ProcessUsage& usage) {
  std::ifstream file(folder + "/status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    int64_t value = 0;
    words >> name >> value;
    if (name == "VmRSS:") usage.resident_bytes = value * kBytesPerKb;
    if (name == "VmHWM:") usage.peak_resident_bytes = value * kBytesPerKb;
    if (name == "Threads:") usage.threads = static_cast<int>(value);
  }
}

absl::Duration ReadThreadCpu(const std::filesystem::path& thread) {
  std::ifstream file(thread / "schedstat");
  int64_t nanoseconds = 0;
  file >> nanoseconds;
  return absl::Nanoseconds(nanoseconds);
}

}  // namespace

absl::StatusOr<ProcessUsage> ReadProcessUsage(pid_t pid) {
  const std::string folder = absl::StrCat("/proc/", pid);
  ProcessUsage usage;
  ReadStatus(folder, usage);
  std::error_code error;
  for (const auto& thread :
       std::filesystem::directory_iterator(folder + "/task", error)) {
    usage.cpu += ReadThreadCpu(thread.path());
  }
  if (error || usage.threads == 0) {
    return absl::NotFoundError(absl::StrCat("no process \"", pid, "\" runs"));
  }
  return usage;
}

}  // namespace assay::load
