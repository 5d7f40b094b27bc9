// What one unit of work sees of the store: its tables, within a transaction.

#ifndef ASSAY_SERVER_STORE_SESSION_H_
#define ASSAY_SERVER_STORE_SESSION_H_

#include <cstdint>

#include "server/store/board_table.h"
#include "server/store/change_log.h"
#include "server/store/definition_table.h"
#include "server/store/job_table.h"
#include "server/store/lease_table.h"
#include "server/store/review_table.h"
#include "server/store/solution_table.h"
#include "server/store/sqlite.h"
#include "server/store/state_table.h"
#include "server/store/submission_table.h"
#include "server/store/token_table.h"
#include "server/store/trace_table.h"
#include "server/store/worker_table.h"
#include "server/store/workload_table.h"

namespace assay {

// Belongs to the thread that runs the unit of work, and ends with it.
class Session {
 public:
  // `change_counter` is the number of the latest change in the store.
  Session(Database& database, int64_t& change_counter, int64_t now_us)
      : changes_(change_counter, now_us),
        definitions_(database),
        solutions_(database, changes_),
        workloads_(database, changes_),
        submissions_(database),
        jobs_(database, changes_),
        leases_(database),
        workers_(database, changes_),
        traces_(database, changes_),
        reviews_(database, changes_),
        boards_(database, changes_),
        state_(database),
        tokens_(database) {}
  // The tables refer to its change log.
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Microseconds since the Unix epoch, read once for the unit of work.
  int64_t now_us() const { return changes_.now_us(); }

  DefinitionTable& definitions() { return definitions_; }
  SolutionTable& solutions() { return solutions_; }
  WorkloadTable& workloads() { return workloads_; }
  SubmissionTable& submissions() { return submissions_; }
  JobTable& jobs() { return jobs_; }
  LeaseTable& leases() { return leases_; }
  WorkerTable& workers() { return workers_; }
  TraceTable& traces() { return traces_; }
  ReviewTable& reviews() { return reviews_; }
  BoardTable& boards() { return boards_; }
  StateTable& state() { return state_; }
  TokenTable& tokens() { return tokens_; }

  // What others hear of after the commit.
  Effects& effects() { return changes_.effects(); }
  Effects TakeEffects() { return changes_.TakeEffects(); }

 private:
  ChangeLog changes_;
  DefinitionTable definitions_;
  SolutionTable solutions_;
  WorkloadTable workloads_;
  SubmissionTable submissions_;
  JobTable jobs_;
  LeaseTable leases_;
  WorkerTable workers_;
  TraceTable traces_;
  ReviewTable reviews_;
  BoardTable boards_;
  StateTable state_;
  TokenTable tokens_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_SESSION_H_
