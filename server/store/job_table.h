// Stored jobs: the queue. A job keeps its place (`seq`) when it goes back.

#ifndef ASSAY_SERVER_STORE_JOB_TABLE_H_
#define ASSAY_SERVER_STORE_JOB_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "assay/v1/evaluation_service.pb.h"
#include "server/scheduler/queue.h"
#include "server/store/change_log.h"
#include "server/store/paging.h"
#include "server/store/sqlite.h"

namespace assay {

struct JobRow {
  int64_t seq = 0;
  v1::Job job;
  // Grows with every lease.
  int64_t fence = 0;
  // The latest lease; `held` says whether it still has the job.
  std::string lease_id;
  bool held = false;
  // Attempts that ended without a verdict through no wish of the worker.
  int failures = 0;
  std::string avoid_worker;
  int64_t change_seq = 0;
};

// True when nothing can happen to the job any more.
bool IsEnded(v1::JobState state);

class JobTable {
 public:
  JobTable(Database& database, ChangeLog& changes)
      : database_(database), changes_(changes) {}

  // Queues a job.
  absl::Status Insert(absl::string_view id, absl::string_view submission_id,
                      absl::string_view workload_uuid,
                      const std::vector<HardwareWords>& hardware);

  // Writes what may change of the row, numbers the change and tells of it.
  // After the last job of a submission has ended, tells of that too.
  absl::Status Save(JobRow& row);
  // The same for a job that completed: what is told is its trace.
  absl::Status Save(JobRow& row, v1::TraceRecord trace);

  absl::StatusOr<absl::optional<JobRow>> Find(absl::string_view id);
  // What a device needs to run the job.
  absl::StatusOr<Requirements> RequirementsOf(absl::string_view id);
  // Jobs whose latest lease this is, in the order of the queue.
  absl::StatusOr<std::vector<JobRow>> OfLease(absl::string_view lease_id);
  // Jobs of the submission that have not ended, in the order of the queue.
  absl::StatusOr<std::vector<JobRow>> Active(absl::string_view submission_id);
  // Waiting jobs of the group, in the order of the queue.
  absl::StatusOr<std::vector<JobRow>> Waiting(const QueuedGroup& group,
                                              int limit);
  // Jobs of the submission that changed after `change_seq`, oldest change
  // first.
  absl::StatusOr<std::vector<JobRow>> ChangedSince(
      absl::string_view submission_id, int64_t change_seq, int limit);
  // In the order of the queue.
  absl::StatusOr<v1::ListJobsResponse> List(absl::string_view submission_id,
                                            Paging paging);

  // Jobs that wait for a worker.
  absl::StatusOr<int64_t> CountWaiting();
  // Jobs that a lease in force has.
  absl::StatusOr<int64_t> CountHeld();

  // All that waits, oldest first.
  absl::StatusOr<std::vector<QueuedGroup>> WaitingGroups();
  // Notes that the author is served now.
  absl::Status TakeTurn(absl::string_view author);

  // Number of the latest change in the store.
  static absl::StatusOr<int64_t> LatestChange(Database& database);
  // Before the commit of a transaction that numbered changes.
  static absl::Status NoteLatestChange(Database& database, int64_t latest);

 private:
  absl::StatusOr<std::vector<JobRow>> ReadAll(Statement statement);
  absl::StatusOr<int64_t> Count(absl::string_view sql);
  absl::Status Update(JobRow& row);
  // A change that is told after the commit; its event is for the caller to set.
  SubmissionChange& Tell(const std::string& submission_id, int64_t change_seq);
  absl::Status AfterSave(const JobRow& row);
  absl::Status TellIfDone(const std::string& submission_id);

  Database& database_;
  ChangeLog& changes_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_JOB_TABLE_H_
