// How fast jobs were completed of late.

#ifndef ASSAY_SERVER_SCHEDULER_THROUGHPUT_H_
#define ASSAY_SERVER_SCHEDULER_THROUGHPUT_H_

#include <cstdint>
#include <deque>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"

namespace assay {

// Thread-safe.
class Throughput {
 public:
  // What is older does not count.
  static constexpr absl::Duration kWindow = absl::Minutes(5);

  // `now` is of the monotonic clock and never goes back.
  void NoteCompleted(absl::Duration now, int64_t jobs);

  // Mean time between two jobs, over the window or since the first of them;
  // none when fewer than two were completed.
  absl::optional<absl::Duration> TimePerJob(absl::Duration now);

 private:
  struct Completed {
    absl::Duration at;
    int64_t jobs;
  };

  absl::Mutex mutex_;
  std::deque<Completed> completed_ ABSL_GUARDED_BY(mutex_);
  int64_t jobs_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SCHEDULER_THROUGHPUT_H_
