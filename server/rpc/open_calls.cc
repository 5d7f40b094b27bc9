#include "server/rpc/open_calls.h"

#include <typeinfo>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

absl::Status Stopping() {
  return absl::UnavailableError(
      "the coordinator is stopping: repeat the call later");
}

absl::Status TooMany(int count) {
  return absl::ResourceExhaustedError(
      absl::StrCat("the token has ", count,
                   " streams of this kind open, and no more are allowed: end "
                   "one first"));
}

}  // namespace

void OpenCalls::Add(const std::shared_ptr<Call>& call,
                    const std::string& token_id) {
  absl::Status refusal = Stopping();
  {
    absl::MutexLock lock(&mutex_);
    if (!stopping_) {
      const std::type_index type(typeid(*call));
      int& count = counts_[{token_id, type}];
      if (count < call->max_open()) {
        ++count;
        calls_.insert_or_assign(call.get(), Entry{call, token_id, type});
        return;
      }
      refusal = TooMany(count);
    }
  }
  call->Stop(refusal);
}

void OpenCalls::Remove(const Call* call) {
  absl::MutexLock lock(&mutex_);
  const auto found = calls_.find(call);
  if (found == calls_.end()) return;
  const auto count = counts_.find({found->second.token_id, found->second.type});
  if (--count->second == 0) counts_.erase(count);
  calls_.erase(found);
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
    counts_.clear();
  }
  for (const std::shared_ptr<Call>& call : open) call->Stop(Stopping());
}

}  // namespace assay
