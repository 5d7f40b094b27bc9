// Keeps the same thing from being made twice at the same time.
//
//   KeysInProgress keys;
//   ...
//   const KeyLock lock(keys, key);  // waits for whoever has the same key

#ifndef ASSAY_WORKER_BUILD_KEYS_IN_PROGRESS_H_
#define ASSAY_WORKER_BUILD_KEYS_IN_PROGRESS_H_

#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace assay {

// Keys that are taken. Thread-safe.
class KeysInProgress {
 public:
  // Waits until nobody else has the key.
  void Acquire(const std::string& key) {
    absl::MutexLock lock(&mutex_);
    const auto is_free = [this, &key]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      return keys_.count(key) == 0;
    };
    mutex_.Await(absl::Condition(&is_free));
    keys_.insert(key);
  }

  void Release(const std::string& key) {
    absl::MutexLock lock(&mutex_);
    keys_.erase(key);
  }

 private:
  absl::Mutex mutex_;
  std::set<std::string> keys_ ABSL_GUARDED_BY(mutex_);
};

// Has a key for as long as it lives.
class KeyLock {
 public:
  KeyLock(KeysInProgress& keys, const std::string& key)
      : keys_(keys), key_(key) {
    keys_.Acquire(key_);
  }
  ~KeyLock() { keys_.Release(key_); }
  KeyLock(const KeyLock&) = delete;
  KeyLock& operator=(const KeyLock&) = delete;

 private:
  KeysInProgress& keys_;
  const std::string key_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_KEYS_IN_PROGRESS_H_
