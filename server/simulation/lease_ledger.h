// What must hold of the lease machine after every step:
//
// - a job ends once, and what it ended with stays;
// - fences, attempts and numbers of changes do not go back, and a job keeps its
//   place;
// - a job is held by one active lease of the current process of one worker;
// - an evaluation that was stored is there, once, with the job that it is of;
// - failures are bounded;
// - who watches a submission is told of its end once.

#ifndef ASSAY_SERVER_SIMULATION_LEASE_LEDGER_H_
#define ASSAY_SERVER_SIMULATION_LEASE_LEDGER_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "assay/v1/worker_service.pb.h"
#include "server/simulation/simulated_coordinator.h"
#include "server/simulation/simulated_worker.h"
#include "server/store/job_table.h"

namespace assay {

class LeaseLedger {
 public:
  explicit LeaseLedger(SimulatedCoordinator& coordinator)
      : coordinator_(coordinator) {}

  void NoteSubmission(const v1::Submission& submission);
  // Whether the lease was handed out before: its jobs are known to be in it.
  bool IsLeased(const v1::Lease& lease) const;
  // `lease` was handed to the worker, newly.
  void NoteLease(const v1::Lease& lease, const SimulatedWorker& worker);
  // The report was stored just now.
  void NoteStored(const v1::LeaseReport& report);
  // The worker was told that the report is stored.
  void NoteAcknowledged(const v1::LeaseReport& report);

  // Changes are numbered within one life of the coordinator: who watches comes
  // back to it from the beginning.
  void NoteRestart() { last_change_ = 0; }

  // Compares the store with what was known of it; `thoroughly` all of it, else
  // what is said to have changed.
  void Check(bool thoroughly);
  // Every worker was silent for long: nobody has a job.
  void CheckNothingIsHeld();
  // Nothing is left to do: every job has ended.
  void CheckEnd();

  // The first thing that did not hold; empty when all did.
  const std::string& fault() const { return fault_; }
  const std::map<std::string, JobRow>& jobs() const { return jobs_; }
  int64_t completed() const { return static_cast<int64_t>(traces_.size()); }

 private:
  template <typename... Parts>
  void Fault(const Parts&... parts);
  void CheckSubmission(const std::string& id);
  void CheckJob(const JobRow& row);
  void CheckTrace(const JobRow& row);
  void CheckHolders();
  void CheckEvents(const Effects& effects);

  SimulatedCoordinator& coordinator_;
  std::string fault_;
  std::map<std::string, JobRow> jobs_;
  std::map<std::string, v1::Submission> submissions_;
  std::set<std::string> done_;
  std::set<std::string> traces_;
  // By lease and number.
  std::map<std::pair<std::string, int64_t>, v1::LeaseReport> stored_;
  int64_t last_change_ = 0;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SIMULATION_LEASE_LEDGER_H_
