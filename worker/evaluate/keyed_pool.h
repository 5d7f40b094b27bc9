// Objects that are dear to make, kept for whoever needs one of the same key.
//
//   KeyedPool<Baseline> pool(4, [] { return std::make_unique<Baseline>(); });
//   auto use = pool.Take("digest");
//   (*use)->Start(...);

#ifndef ASSAY_WORKER_EVALUATE_KEYED_POOL_H_
#define ASSAY_WORKER_EVALUATE_KEYED_POOL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"

namespace assay {

// Thread-safe. Outlives what it hands out.
template <typename T>
class KeyedPool {
 private:
  struct Entry {
    std::string key;
    std::unique_ptr<T> object;
    bool in_use = false;
    int64_t last_used = 0;
  };

 public:
  // An object that nobody else has meanwhile.
  class Use {
   public:
    Use(KeyedPool& pool, Entry& entry) : pool_(pool), entry_(entry) {}
    ~Use() { pool_.Return(entry_); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    T& operator*() const { return *entry_.object; }
    T* operator->() const { return entry_.object.get(); }

   private:
    KeyedPool& pool_;
    Entry& entry_;
  };

  // Keeps `capacity` objects, at least 1, which `make` makes.
  KeyedPool(size_t capacity, std::function<std::unique_ptr<T>()> make)
      : make_(std::move(make)), entries_(capacity) {
    for (Entry& entry : entries_) entry.object = make_();
  }

  // The object that was used for the key before, or else the one that was not
  // used for longest. Waits while all that would do are in use.
  std::unique_ptr<Use> Take(absl::string_view key) {
    Entry* chosen = nullptr;
    const auto found = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      chosen = Choose(key);
      return chosen != nullptr;
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&found));
    chosen->in_use = true;
    chosen->last_used = ++uses_;
    chosen->key = std::string(key);
    return std::make_unique<Use>(*this, *chosen);
  }

  // Makes all that are not in use anew, to have back what the old ones held.
  void Clear() {
    absl::MutexLock lock(&mutex_);
    for (Entry& entry : entries_) {
      if (entry.in_use) continue;
      entry.key.clear();
      entry.object = make_();
    }
  }

 private:
  // The entry to hand out for the key now; null: wait.
  Entry* Choose(absl::string_view key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    Entry* oldest = nullptr;
    for (Entry& entry : entries_) {
      if (entry.key == key) return entry.in_use ? nullptr : &entry;
      if (entry.in_use) continue;
      if (oldest == nullptr || entry.last_used < oldest->last_used) {
        oldest = &entry;
      }
    }
    return oldest;
  }

  void Return(Entry& entry) {
    absl::MutexLock lock(&mutex_);
    entry.in_use = false;
  }

  const std::function<std::unique_ptr<T>()> make_;
  absl::Mutex mutex_;
  std::vector<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  int64_t uses_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_KEYED_POOL_H_
