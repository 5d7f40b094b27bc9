#include "tests/load/open_loop.h"

#include "absl/time/clock.h"

namespace assay::load {

absl::Status OpenLoop::Run(
    int rate, absl::Duration length,
    const std::function<void(int number, Done done)>& start) {
  const absl::Duration distance = absl::Seconds(1) / rate;
  const absl::Time begin = absl::Now();
  int number = 0;
  for (absl::Time due = begin; due < begin + length; due += distance) {
    absl::SleepFor(due - absl::Now());
    {
      absl::MutexLock lock(&mutex_);
      ++open_;
    }
    start(number++, [this, due](const absl::Status& status) {
      latencies_.Add(absl::Now() - due);
      absl::MutexLock lock(&mutex_);
      --open_;
      status_.Update(status);
    });
  }
  absl::MutexLock lock(&mutex_);
  const auto idle = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return open_ == 0;
  };
  mutex_.Await(absl::Condition(&idle));
  return status_;
}

}  // namespace assay::load
