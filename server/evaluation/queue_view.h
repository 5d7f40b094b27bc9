// The queue as people see it: where a submission stands in it, and for how
// long.

#ifndef ASSAY_SERVER_EVALUATION_QUEUE_VIEW_H_
#define ASSAY_SERVER_EVALUATION_QUEUE_VIEW_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "assay/v1/evaluation_service.pb.h"
#include "base/clock.h"
#include "server/lease/presence.h"
#include "server/scheduler/queue.h"
#include "server/scheduler/throughput.h"
#include "server/store/effects.h"
#include "server/store/session.h"

namespace assay {

// As it was at one moment; cheap to ask about many submissions.
struct QueueView {
  int64_t time_us = 0;
  std::vector<QueuedGroup> waiting;
  std::vector<KnownWorker> live;
  // Between two jobs that are completed; none when it is not known.
  absl::optional<absl::Duration> time_per_job;

  // None when no job of the submission waits.
  absl::optional<v1::QueueStatus> StatusOf(
      absl::string_view submission_id) const;
};

// Thread-safe.
class QueueViews {
 public:
  // Both outlive it.
  QueueViews(Clock& clock, const Presence& presence)
      : clock_(clock), presence_(presence) {}

  // Counts what was completed.
  void OnCommit(const Effects& effects);

  absl::StatusOr<QueueView> Read(Session& session);

 private:
  Clock& clock_;
  const Presence& presence_;
  Throughput throughput_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_EVALUATION_QUEUE_VIEW_H_
