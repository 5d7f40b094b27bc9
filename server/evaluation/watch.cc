#include "server/evaluation/watch.h"

#include <utility>

#include "base/status_macros.h"
#include "server/evaluation/submissions.h"

namespace assay {
namespace {

// Changes read from the store at once.
constexpr int kReadLimit = 200;

v1::SubmissionEvent Event(const std::string& submission_id, int64_t time_us) {
  v1::SubmissionEvent event;
  event.set_submission_id(submission_id);
  event.set_time_us(time_us);
  return event;
}

// The estimate alone changes all the time.
bool SaysTheSame(const v1::QueueStatus& a, const v1::QueueStatus& b) {
  return a.position() == b.position() && a.jobs_ahead() == b.jobs_ahead() &&
         a.note() == b.note();
}

}  // namespace

std::shared_ptr<Watch> Watch::Create(const std::vector<std::string>& ids,
                                     Store& store, EventHub& hub,
                                     const Presence& presence,
                                     std::function<void()> on_ready) {
  std::shared_ptr<Watch> watch(
      new Watch(store, hub, presence, std::move(on_ready)));
  {
    absl::MutexLock lock(&watch->mutex_);
    for (const std::string& id : ids) {
      if (watch->submissions_.try_emplace(id).second) {
        watch->to_read_.push_back(id);
      }
    }
    watch->unfinished_ = watch->submissions_.size();
  }
  // Before the first reading, so that no change falls between the two.
  for (const std::string& id : ids) hub.Subscribe(id, watch);
  return watch;
}

Watch::~Watch() {
  for (const auto& [id, submission] : submissions_) {
    hub_.Unsubscribe(id, weak_from_this());
  }
}

Watch::Next Watch::Take() {
  Next next;
  bool read = false;
  {
    absl::MutexLock lock(&mutex_);
    if (!ready_.empty()) {
      next.kind = Next::kEvent;
      next.event = std::move(ready_.front());
      next.event.set_sequence(++sequence_);
      ready_.pop_front();
    } else if (!error_.ok() || unfinished_ == 0) {
      next.kind = Next::kEnd;
      next.status = error_;
    }
    read = ready_.empty() && error_.ok() && !reading_ && !to_read_.empty();
    if (read) reading_ = true;
  }
  if (read) ReadNext();
  return next;
}

void Watch::OnChange(const SubmissionChange& change) {
  {
    absl::MutexLock lock(&mutex_);
    const std::string& id = change.event.submission_id();
    const auto it = submissions_.find(id);
    if (it == submissions_.end()) return;
    Submission& submission = it->second;
    if (submission.done || change.change_seq <= submission.last_change) return;
    if (!submission.live) {
      submission.stale = true;
      return;
    }
    if (ready_.size() >= kMaxReady) {
      submission.live = false;
      to_read_.push_back(id);
      return;
    }
    submission.last_change = change.change_seq;
    ready_.push_back(change.event);
    if (change.event.has_done()) {
      submission.done = true;
      --unfinished_;
    }
  }
  on_ready_();
}

void Watch::OnQueue(const QueueView& view) {
  bool told = false;
  {
    absl::MutexLock lock(&mutex_);
    for (auto& [id, submission] : submissions_) {
      if (!submission.live || submission.done) continue;
      // The next view tells the same, if it is still true.
      if (ready_.size() >= kMaxReady) break;
      absl::optional<v1::QueueStatus> status = view.StatusOf(id);
      if (!status.has_value() || SaysTheSame(*status, submission.queue)) {
        continue;
      }
      submission.queue = *status;
      ready_.push_back(Event(id, view.time_us));
      *ready_.back().mutable_queue() = *std::move(status);
      told = true;
    }
  }
  if (told) on_ready_();
}

void Watch::ReadNext() {
  std::string id;
  int64_t after = 0;
  {
    absl::MutexLock lock(&mutex_);
    id = std::move(to_read_.front());
    to_read_.pop_front();
    Submission& submission = submissions_[id];
    submission.stale = false;
    after = submission.last_change;
  }
  store_.Read<Reading>(
      [&presence = presence_, id, after](Session& session) {
        return Read(session, presence, id, after);
      },
      [self = shared_from_this()](absl::StatusOr<Reading> reading) {
        self->TakeReading(std::move(reading));
      });
}

absl::StatusOr<Watch::Reading> Watch::Read(Session& session,
                                           const Presence& presence,
                                           const std::string& id,
                                           int64_t after) {
  Reading reading;
  reading.id = id;
  ASSAY_ASSIGN_OR_RETURN(reading.submission, session.submissions().Get(id));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<KnownWorker> live,
                         presence.LiveWorkers(session));
  ASSAY_ASSIGN_OR_RETURN(std::vector<JobRow> rows,
                         session.jobs().ChangedSince(id, after, kReadLimit));
  reading.more = rows.size() == static_cast<size_t>(kReadLimit);
  for (JobRow& row : rows) {
    SubmissionChange change;
    change.change_seq = row.change_seq;
    change.event = Event(id, session.now_us());
    if (row.job.state() == v1::COMPLETED) {
      ASSAY_ASSIGN_OR_RETURN(*change.event.mutable_trace(),
                             session.traces().Get(row.job.trace_id()));
    } else {
      ASSAY_RETURN_IF_ERROR(AnnotateWaiting(session, live, row.job));
      *change.event.mutable_job() = std::move(row.job);
    }
    reading.changes.push_back(std::move(change));
  }
  return reading;
}

void Watch::TakeReading(absl::StatusOr<Reading> reading) {
  const std::string id = reading.ok() ? reading->id : "";
  bool done = false;
  {
    absl::MutexLock lock(&mutex_);
    reading_ = false;
    if (reading.ok()) {
      done = Line(*std::move(reading));
    } else {
      error_ = reading.status();
    }
  }
  // The hub tells of no end any more that would make it forget.
  if (done) hub_.Unsubscribe(id, weak_from_this());
  on_ready_();
}

bool Watch::Line(Reading reading) {
  Submission& submission = submissions_[reading.id];
  const v1::Submission& state = reading.submission;
  if (!submission.introduced) {
    submission.introduced = true;
    ready_.push_back(Event(reading.id, state.create_time_us()));
    *ready_.back().mutable_submission() = state;
  }
  for (SubmissionChange& change : reading.changes) {
    submission.last_change = change.change_seq;
    const v1::Job& job = change.event.job();
    // A job that just waits for its turn has not moved.
    const bool moved = !change.event.has_job() || job.state() != v1::QUEUED ||
                       job.attempt() > 0 || !job.note().empty();
    if (moved) ready_.push_back(std::move(change.event));
  }
  if (reading.more || submission.stale) {
    to_read_.push_back(reading.id);
    return false;
  }
  if (state.queued() + state.running() > 0) {
    submission.live = true;
    return false;
  }
  submission.done = true;
  --unfinished_;
  ready_.push_back(Event(reading.id, state.create_time_us()));
  *ready_.back().mutable_done() = state;
  return true;
}

}  // namespace assay
