// Keeps the processes of the references used last: starting one takes longer
// than most evaluations.

#ifndef ASSAY_WORKER_EVALUATE_BASELINE_POOL_H_
#define ASSAY_WORKER_EVALUATE_BASELINE_POOL_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "worker/evaluate/baseline.h"

namespace assay {

// Thread-safe. Outlives what it hands out.
class BaselinePool {
 private:
  struct Entry {
    std::string digest;
    std::unique_ptr<Baseline> baseline;
    bool in_use = false;
    int64_t last_used = 0;
  };

 public:
  // A baseline that nobody else has meanwhile.
  class Use {
   public:
    Use(BaselinePool& pool, Entry& entry) : pool_(pool), entry_(entry) {}
    ~Use() { pool_.Return(entry_); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    Baseline& operator*() const { return *entry_.baseline; }
    Baseline* operator->() const { return entry_.baseline.get(); }

   private:
    BaselinePool& pool_;
    Entry& entry_;
  };

  // Keeps up to `capacity` baselines, which `make` makes.
  BaselinePool(size_t capacity,
               std::function<std::unique_ptr<Baseline>()> make);

  // The baseline that was used for the definition before, or else a new one in
  // the place of the one that was not used for longest. Waits while all that
  // would do are in use.
  std::unique_ptr<Use> Take(absl::string_view definition_digest);

  // Ends the processes of all that are not in use, to have their memory back.
  void Clear();

 private:
  // The entry to hand out for the digest now; null: wait.
  Entry* Choose(absl::string_view digest) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Return(Entry& entry);

  const std::function<std::unique_ptr<Baseline>()> make_;
  absl::Mutex mutex_;
  std::vector<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  int64_t uses_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_BASELINE_POOL_H_
