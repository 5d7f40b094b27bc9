// Stored leases. Rows stay for a week after a lease has ended, so that a worker
// that did not hear of it can be answered.

#ifndef ASSAY_SERVER_STORE_LEASE_TABLE_H_
#define ASSAY_SERVER_STORE_LEASE_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "server/store/sqlite.h"

namespace assay {

// The numbers are stored.
enum class LeaseState {
  kActive = 1,
  // The worker said that it is done.
  kFinished = 2,
  // Silent for a ttl. Can be resumed as long as no other worker has taken all
  // of its jobs.
  kExpired = 3,
  // Taken away for good: the worker started anew.
  kRevoked = 4,
};

struct LeaseRow {
  std::string id;
  std::string worker_id;
  std::string session_id;
  std::string request_id;
  std::string submission_id;
  LeaseState state = LeaseState::kActive;
  // Latest report that is stored.
  int64_t last_number = 0;
};

class LeaseTable {
 public:
  explicit LeaseTable(Database& database) : database_(database) {}

  // Forgets some that were made more than a week ago and have ended.
  absl::Status Insert(const LeaseRow& row, int64_t now_us);
  // Writes state and last_number.
  absl::Status Save(const LeaseRow& row);
  absl::StatusOr<absl::optional<LeaseRow>> Find(absl::string_view id);
  // Oldest first.
  absl::StatusOr<std::vector<LeaseRow>> ActiveOf(absl::string_view worker_id);
  absl::StatusOr<std::vector<LeaseRow>> AllActive();

 private:
  absl::StatusOr<std::vector<LeaseRow>> ReadAll(Statement statement);

  Database& database_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_LEASE_TABLE_H_
