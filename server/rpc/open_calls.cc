#include "server/rpc/open_calls.h"

namespace assay {
namespace {

absl::Status Stopping() {
  return absl::UnavailableError(
      "the coordinator is stopping: repeat the call later");
}

}  // namespace

void OpenCalls::Add(const std::shared_ptr<Call>& call) {
  {
    absl::MutexLock lock(&mutex_);
    if (!stopping_) {
      calls_.insert_or_assign(call.get(), call);
      return;
    }
  }
  call->Stop(Stopping());
}

void OpenCalls::Remove(const Call* call) {
  absl::MutexLock lock(&mutex_);
  calls_.erase(call);
}

void OpenCalls::Stop() {
  std::vector<std::shared_ptr<Call>> open;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    for (const auto& [key, call] : calls_) {
      if (auto alive = call.lock()) open.push_back(std::move(alive));
    }
    calls_.clear();
  }
  for (const std::shared_ptr<Call>& call : open) call->Stop(Stopping());
}

}  // namespace assay
