#include "server/scheduler/throughput.h"

namespace assay {
namespace {

// Jobs within this time are noted as one entry, so that there are few.
constexpr absl::Duration kGrain = absl::Seconds(1);

}  // namespace

void Throughput::NoteCompleted(absl::Duration now, int64_t jobs) {
  if (jobs == 0) return;
  absl::MutexLock lock(&mutex_);
  jobs_ += jobs;
  if (!completed_.empty() && now - completed_.back().at < kGrain) {
    completed_.back().jobs += jobs;
  } else {
    completed_.push_back({now, jobs});
  }
}

absl::optional<absl::Duration> Throughput::TimePerJob(absl::Duration now) {
  absl::MutexLock lock(&mutex_);
  while (!completed_.empty() && now - completed_.front().at > kWindow) {
    jobs_ -= completed_.front().jobs;
    completed_.pop_front();
  }
  if (jobs_ < 2) return absl::nullopt;
  // The first of them was being worked on before.
  const absl::Duration time = now - completed_.front().at;
  const int64_t since = jobs_ - completed_.front().jobs;
  if (since == 0) return kGrain / completed_.front().jobs;
  return time / since;
}

}  // namespace assay
