#include "worker/cuda/find_cupti.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace assay {
namespace {

constexpr char kName[] = "libcupti.so";

// The number in "libcupti.so.13"; 0 for other names.
int MajorVersion(absl::string_view name) {
  int version = 0;
  if (!absl::ConsumePrefix(&name, kName) || !absl::ConsumePrefix(&name, ".") ||
      !absl::SimpleAtoi(name, &version)) {
    return 0;
  }
  return version;
}

std::string FindIn(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::exists(folder / kName, error)) {
    return (folder / kName).string();
  }
  std::string found;
  int highest = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const int version = MajorVersion(entry.path().filename().string());
    if (version <= highest) continue;
    highest = version;
    found = entry.path().string();
  }
  return found;
}

}  // namespace

std::string FindCupti(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const std::string found = FindIn(folder);
    if (found.empty()) continue;
    std::error_code error;
    const std::filesystem::path resolved =
        std::filesystem::canonical(found, error);
    if (!error) return resolved.string();
  }
  return "";
}

}  // namespace assay
