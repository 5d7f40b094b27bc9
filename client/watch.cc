#include "client/watch.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace assay {
namespace {

// Whether the coordinator may well answer again later. A stream that reached
// its age without a word had nobody at its other end: each starts with what
// there is.
bool IsOutage(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsResourceExhausted(status) ||
         absl::IsDeadlineExceeded(status);
}

// Drops what an earlier stream has already told: each stream starts from the
// beginning.
class Deduplicator {
 public:
  bool IsNew(const v1::SubmissionEvent& event) {
    switch (event.event_case()) {
      case v1::SubmissionEvent::kSubmission:
        return seen_.insert(absl::StrCat("s:", event.submission_id())).second;
      case v1::SubmissionEvent::kDone:
        return done_.insert(event.submission_id()).second;
      case v1::SubmissionEvent::kTrace:
        return seen_.insert(absl::StrCat("j:", event.trace().job_id())).second;
      case v1::SubmissionEvent::kJob:
        return JobIsNew(event.job());
      case v1::SubmissionEvent::kQueue:
        return true;
      case v1::SubmissionEvent::EVENT_NOT_SET:
        // Of a newer coordinator.
        return false;
    }
    return false;
  }

  size_t num_done() const { return done_.size(); }

 private:
  bool JobIsNew(const v1::Job& job) {
    const std::string key = absl::StrCat("j:", job.id());
    switch (job.state()) {
      case v1::FAILED:
      case v1::CANCELLED:
        return seen_.insert(key).second;
      case v1::COMPLETED:
        // Its trace tells the outcome.
        return false;
      default:
        return !seen_.contains(key);
    }
  }

  absl::flat_hash_set<std::string> seen_;
  absl::flat_hash_set<std::string> done_;
};

}  // namespace

absl::Status WatchSubmissions(
    Client& client, const std::vector<std::string>& ids,
    const WatchOptions& options,
    const std::function<void(const v1::SubmissionEvent&)>& visit) {
  if (ids.empty()) return absl::OkStatus();
  const size_t num_ids =
      absl::flat_hash_set<std::string>(ids.begin(), ids.end()).size();
  Deduplicator events;
  absl::Time give_up = absl::InfiniteFuture();
  while (true) {
    bool any_event = false;
    absl::Status status =
        client.WatchSubmissionsOnce(ids, [&](const v1::SubmissionEvent& event) {
          any_event = true;
          give_up = absl::InfiniteFuture();
          if (events.IsNew(event)) visit(event);
          return true;
        });
    if (events.num_done() == num_ids) return absl::OkStatus();
    if (status.ok()) {
      return absl::InternalError(
          "the coordinator ended the watch before the submissions ended");
    }
    // A stream that has reached its age makes room for the next one.
    if (absl::IsDeadlineExceeded(status) && any_event) continue;
    if (!IsOutage(status)) return status;
    if (give_up == absl::InfiniteFuture()) {
      give_up = absl::Now() + options.patience;
      if (options.on_reconnect) options.on_reconnect(status);
    }
    if (absl::Now() >= give_up) return status;
    const Cancellation* cancellation = client.cancellation();
    if (cancellation == nullptr) {
      absl::SleepFor(options.retry_interval);
    } else if (!cancellation->Sleep(options.retry_interval)) {
      return absl::CancelledError("interrupted");
    }
  }
}

}  // namespace assay
