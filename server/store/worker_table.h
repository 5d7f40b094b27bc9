// Workers that have registered. Who is alive is not stored; see
// server/lease/presence.h.

#ifndef ASSAY_SERVER_STORE_WORKER_TABLE_H_
#define ASSAY_SERVER_STORE_WORKER_TABLE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "assay/v1/worker_service.pb.h"
#include "server/store/change_log.h"
#include "server/store/paging.h"
#include "server/store/sqlite.h"

namespace assay {

// Whether a worker gets jobs. The numbers are stored.
enum class Admission {
  kOpen = 1,
  // It finishes what it has.
  kDrained = 2,
  // It has nothing any more.
  kQuarantined = 3,
};

struct WorkerRow {
  // Without last_seen_time_us; `lease_id` is the latest active one, and the
  // state DRAINED, QUARANTINED or none.
  v1::WorkerRecord record;
  std::string session_id;
  Admission admission = Admission::kOpen;
};

class WorkerTable {
 public:
  WorkerTable(Database& database, ChangeLog& changes)
      : database_(database), changes_(changes) {}

  // Stores the worker, in place of its older session.
  absl::Status Save(const v1::RegisterWorkerRequest& worker, int64_t now_us);
  absl::StatusOr<absl::optional<WorkerRow>> Find(absl::string_view worker_id);
  // True when this is the latest session of the worker.
  absl::StatusOr<bool> IsCurrent(absl::string_view worker_id,
                                 absl::string_view session_id);
  // `reason` is empty for kOpen.
  absl::Status SetAdmission(absl::string_view worker_id, Admission admission,
                            absl::string_view reason);
  // Notes that a newer session has taken the place of this one; of each worker
  // the latest kMaxReplaced are known.
  static constexpr int kMaxReplaced = 1000;
  absl::Status NoteReplaced(absl::string_view worker_id,
                            absl::string_view session_id);
  absl::StatusOr<bool> IsReplaced(absl::string_view worker_id,
                                  absl::string_view session_id);
  // Ordered by id.
  absl::StatusOr<std::vector<WorkerRow>> All();
  absl::StatusOr<v1::ListWorkersResponse> List(Paging paging);

 private:
  absl::StatusOr<bool> Exists(absl::string_view sql,
                              absl::string_view worker_id,
                              absl::string_view session_id);

  Database& database_;
  ChangeLog& changes_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_WORKER_TABLE_H_
