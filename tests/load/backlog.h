// Submissions of stored solutions, so many that workers always have some.
//
//   Backlog backlog(target, 20);
//   backlog.Start();
//   …  backlog.NoteRecorded() for every evaluation  …
//   ASSAY_RETURN_IF_ERROR(backlog.Stop());

#ifndef ASSAY_TESTS_LOAD_BACKLOG_H_
#define ASSAY_TESTS_LOAD_BACKLOG_H_

#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/optional.h"
#include "assay/v1/evaluation_service.grpc.pb.h"
#include "tests/load/scenarios.h"

namespace assay::load {

// Thread-safe.
class Backlog {
 public:
  // Keeps `submissions` waiting, of all workloads of a definition each.
  Backlog(const Target& target, int submissions);
  // Stops.
  ~Backlog();

  void Start();
  // A job of it has ended.
  void NoteRecorded();
  // The first error there was.
  absl::Status Stop();

 private:
  void Loop();
  // The number of the next submission once one is due; none at the end.
  absl::optional<int> AwaitDue();
  absl::Status Submit(int number);

  const Target target_;
  const int64_t wanted_jobs_;
  const std::unique_ptr<v1::EvaluationService::Stub> stub_;
  // One would wait for the commit of each before it sends the next.
  std::vector<std::thread> threads_;
  absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  int submissions_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t jobs_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::load

#endif  // ASSAY_TESTS_LOAD_BACKLOG_H_
