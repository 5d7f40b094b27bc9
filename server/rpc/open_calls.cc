#include "server/rpc/open_calls.h"

namespace assay {
namespace {

absl::Status Stopping() {
  return absl::UnavailableError(
      "the coordinator is stopping: repeat the call later");
}

}  // namespace

void OpenCalls::Add(const std::shared_ptr<Call>& call,
                    const std::string& token_id) {
  {
    absl::MutexLock lock(&mutex_);
    if (!stopping_) {
      calls_.insert_or_assign(call.get(), Entry{call, token_id});
      return;
    }
  }
  call->Stop(Stopping());
}

void OpenCalls::Remove(const Call* call) {
  absl::MutexLock lock(&mutex_);
  calls_.erase(call);
}

void OpenCalls::StopUnless(
    const std::function<bool(const std::string&)>& may_stay,
    const absl::Status& status) {
  std::vector<std::shared_ptr<Call>> refused;
  {
    absl::MutexLock lock(&mutex_);
    for (const auto& [key, entry] : calls_) {
      if (may_stay(entry.token_id)) continue;
      if (auto alive = entry.call.lock()) refused.push_back(std::move(alive));
    }
  }
  // They remove themselves when they are done.
  for (const std::shared_ptr<Call>& call : refused) call->Stop(status);
}

void OpenCalls::Stop() {
  std::vector<std::shared_ptr<Call>> open;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    for (const auto& [key, entry] : calls_) {
      if (auto alive = entry.call.lock()) open.push_back(std::move(alive));
    }
    calls_.clear();
  }
  for (const std::shared_ptr<Call>& call : open) call->Stop(Stopping());
}

}  // namespace assay
