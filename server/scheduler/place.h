// Where a submission stands in the queue. A pure decision. Thread-safe.

#ifndef ASSAY_SERVER_SCHEDULER_PLACE_H_
#define ASSAY_SERVER_SCHEDULER_PLACE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "server/scheduler/queue.h"

namespace assay {

struct Place {
  // 1: no other submission goes first. 0: no job of it waits.
  int position = 0;
  // Waiting jobs of those that go first.
  int64_t jobs_ahead = 0;
  // Some worker that takes work fits some of its jobs.
  bool served = false;
  // Why a job of it waits although a worker may be idle; see WaitingNote.
  std::string note;
};

// Submissions go in the order of their priorities, then authors take turns.
// Only those count that wait for the same workers. What workers prefer for what
// they have at hand, and how many jobs a lease takes, is left out.
Place FindPlace(const std::vector<QueuedGroup>& waiting,
                absl::string_view submission_id,
                const std::vector<KnownWorker>& live);

}  // namespace assay

#endif  // ASSAY_SERVER_SCHEDULER_PLACE_H_
