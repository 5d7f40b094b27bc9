// What a unit of work changed that others are waiting to hear of: collected
// while it runs, handed out after the commit, forgotten when it is rolled back.

#ifndef ASSAY_SERVER_STORE_EFFECTS_H_
#define ASSAY_SERVER_STORE_EFFECTS_H_

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "assay/v1/evaluation_service.pb.h"

namespace assay {

// Something for those who watch a submission.
struct SubmissionChange {
  // Grows with every change in the store.
  int64_t change_seq = 0;
  // One of `job`, `trace` and `done`; `sequence` is for the stream to set.
  v1::SubmissionEvent event;
};

// A job that was cancelled while a lease held it.
struct CancelledJob {
  std::string lease_id;
  std::string job_id;
};

struct Effects {
  // In the order of change_seq.
  std::vector<SubmissionChange> changes;
  std::vector<CancelledJob> cancelled;
  // Leases that were taken from their worker.
  std::vector<std::string> revoked_leases;
  // Leases whose workers are to finish the jobs at hand alone.
  std::vector<std::string> drained_leases;
  // A worker gets jobs again.
  bool worker_admitted = false;
  // There are jobs to take that were not there before.
  bool queue_grew = false;
  // Definitions whose leaderboards may have changed.
  absl::flat_hash_set<std::string> changed_boards;
  // Any leaderboard may have.
  bool all_boards_changed = false;

  void ChangeBoards(const std::string& definition) {
    changed_boards.insert(definition);
  }

  // Adds those of a later unit of work.
  void Append(Effects&& later) {
    Move(later.changes, changes);
    Move(later.cancelled, cancelled);
    Move(later.revoked_leases, revoked_leases);
    Move(later.drained_leases, drained_leases);
    worker_admitted |= later.worker_admitted;
    queue_grew |= later.queue_grew;
    changed_boards.merge(later.changed_boards);
    all_boards_changed |= later.all_boards_changed;
  }

 private:
  template <typename T>
  static void Move(std::vector<T>& from, std::vector<T>& to) {
    to.insert(to.end(), std::make_move_iterator(from.begin()),
              std::make_move_iterator(from.end()));
  }
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_EFFECTS_H_
