// Stored solutions, one row for each revision.

#ifndef ASSAY_SERVER_STORE_SOLUTION_TABLE_H_
#define ASSAY_SERVER_STORE_SOLUTION_TABLE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "assay/v1/catalog_service.pb.h"
#include "server/store/change_log.h"
#include "server/store/paging.h"
#include "server/store/sqlite.h"

namespace assay {

class SolutionTable {
 public:
  SolutionTable(Database& database, ChangeLog& changes)
      : database_(database), changes_(changes) {}

  // Stores a revision and makes it the latest of its name.
  absl::Status Insert(const v1::SolutionRecord& record);
  // Makes a stored revision the latest again.
  absl::Status MakeLatest(absl::string_view name, absl::string_view digest);

  // The revision with the digest; an empty digest means the latest. NOT_FOUND
  // names the solution.
  absl::StatusOr<v1::SolutionRecord> Get(absl::string_view name,
                                         absl::string_view digest);
  // The same, with nothing where there is none.
  absl::StatusOr<absl::optional<v1::SolutionRecord>> Find(
      absl::string_view name, absl::string_view digest);

  // Latest revisions without the sources' content, ordered by name. An empty
  // filter means all; of all authors but the one of probes.
  absl::StatusOr<v1::ListSolutionsResponse> List(absl::string_view definition,
                                                 absl::string_view author,
                                                 Paging paging);

 private:
  Database& database_;
  ChangeLog& changes_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_SOLUTION_TABLE_H_
