#include "server/evaluation/queue_view.h"

#include <algorithm>

#include "base/status_macros.h"
#include "google/protobuf/util/time_util.h"
#include "server/scheduler/place.h"

namespace assay {

absl::optional<v1::QueueStatus> QueueView::StatusOf(
    absl::string_view submission_id) const {
  const Place place = FindPlace(waiting, submission_id, live);
  if (place.position == 0) return absl::nullopt;
  v1::QueueStatus status;
  status.set_position(place.position);
  status.set_jobs_ahead(place.jobs_ahead);
  status.set_note(place.note);
  if (place.served && time_per_job.has_value()) {
    // The jobs ahead, and one that is under way.
    *status.mutable_estimated_wait() =
        google::protobuf::util::TimeUtil::MillisecondsToDuration(
            absl::ToInt64Milliseconds(*time_per_job * (place.jobs_ahead + 1)));
  }
  return status;
}

void QueueViews::OnCommit(const Effects& effects) {
  throughput_.NoteCompleted(
      clock_.Monotonic(),
      std::count_if(effects.changes.begin(), effects.changes.end(),
                    [](const SubmissionChange& change) {
                      return change.event.has_trace();
                    }));
}

absl::StatusOr<QueueView> QueueViews::Read(Session& session) {
  QueueView view;
  view.time_us = session.now_us();
  ASSAY_ASSIGN_OR_RETURN(view.waiting, session.jobs().WaitingGroups());
  ASSAY_ASSIGN_OR_RETURN(view.live, presence_.LiveWorkers(session));
  view.time_per_job = throughput_.TimePerJob(clock_.Monotonic());
  return view;
}

}  // namespace assay
