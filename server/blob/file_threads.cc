#include "server/blob/file_threads.h"

#include <utility>

namespace assay {

FileThreads::FileThreads(int threads) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { Loop(); });
  }
}

FileThreads::~FileThreads() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
}

void FileThreads::Post(std::function<void()> step) {
  absl::MutexLock lock(&mutex_);
  steps_.push_back(std::move(step));
}

void FileThreads::Loop() {
  const auto ready = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return stopping_ || !steps_.empty();
  };
  while (true) {
    std::function<void()> step;
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(&ready));
      if (steps_.empty()) return;
      step = std::move(steps_.front());
      steps_.pop_front();
    }
    step();
  }
}

}  // namespace assay
