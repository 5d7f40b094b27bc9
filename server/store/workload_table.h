// Stored workloads.

#ifndef ASSAY_SERVER_STORE_WORKLOAD_TABLE_H_
#define ASSAY_SERVER_STORE_WORKLOAD_TABLE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "assay/v1/catalog_service.pb.h"
#include "server/store/change_log.h"
#include "server/store/paging.h"
#include "server/store/sqlite.h"

namespace assay {

// Blobs that a run of workloads names.
struct WorkloadBlobs {
  std::vector<std::string> sha256;
  // Place of the last of these workloads.
  int64_t last_seq = 0;
};

class WorkloadTable {
 public:
  WorkloadTable(Database& database, ChangeLog& changes)
      : database_(database), changes_(changes) {}

  absl::Status Insert(const v1::WorkloadRecord& record);
  // NOT_FOUND names the workload.
  absl::StatusOr<v1::WorkloadRecord> Get(absl::string_view uuid);
  absl::StatusOr<absl::optional<v1::WorkloadRecord>> Find(
      absl::string_view uuid);
  // Ordered by creation. `definition` empty: all.
  absl::StatusOr<v1::ListWorkloadsResponse> List(absl::string_view definition,
                                                 Paging paging);
  // All workloads of the definition, ordered by creation.
  absl::StatusOr<std::vector<v1::WorkloadRecord>> AllOf(
      absl::string_view definition);

  // Of the next `limit` workloads after the place `seq`, which stays when there
  // are none.
  absl::StatusOr<WorkloadBlobs> BlobsAfter(int64_t seq, int limit);

 private:
  Database& database_;
  ChangeLog& changes_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_WORKLOAD_TABLE_H_
