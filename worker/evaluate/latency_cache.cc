#include "worker/evaluate/latency_cache.h"

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/file.h"
#include "base/log.h"

namespace assay {

std::string LatencyCache::PathOf(absl::string_view key) const {
  return absl::StrCat(folder_, "/", key);
}

absl::optional<double> LatencyCache::Find(const std::string& key) {
  {
    absl::MutexLock lock(&mutex_);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
  }
  if (folder_.empty()) return absl::nullopt;
  const absl::StatusOr<std::string> text = ReadFile(PathOf(key), 100);
  double latency_ms = 0;
  if (!text.ok() ||
      !absl::SimpleAtod(absl::StripAsciiWhitespace(*text), &latency_ms) ||
      !(latency_ms > 0)) {
    return absl::nullopt;
  }
  absl::MutexLock lock(&mutex_);
  known_[key] = latency_ms;
  return latency_ms;
}

void LatencyCache::Store(const std::string& key, double latency_ms) {
  {
    absl::MutexLock lock(&mutex_);
    known_[key] = latency_ms;
  }
  if (folder_.empty()) return;
  absl::Status status = CreateDirectories(folder_);
  if (status.ok()) {
    status = WriteFileAtomically(PathOf(key),
                                 absl::StrFormat("%.17g\n", latency_ms));
  }
  if (!status.ok()) {
    LogWarning("reference latency not kept", {{"error", status.ToString()}});
  }
}

}  // namespace assay
