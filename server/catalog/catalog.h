// What can be evaluated: definitions, solutions, workloads. Each function is
// one unit of work of the store, and says whether something new was stored.
// Objects are valid by themselves (schema/validate.h) before they come here.

#ifndef ASSAY_SERVER_CATALOG_CATALOG_H_
#define ASSAY_SERVER_CATALOG_CATALOG_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/catalog_service.pb.h"
#include "server/blob/blob_store.h"
#include "server/store/session.h"

namespace assay {

template <typename Record>
struct Stored {
  Record record;
  // False: the same content was there already.
  bool created = false;
};

// ALREADY_EXISTS when the name stands for other content, naming the first field
// that differs.
absl::StatusOr<Stored<v1::DefinitionRecord>> CreateDefinition(
    Session& session, const v1::Definition& definition);

// What it means that the content is stored as an older revision.
enum class OldRevision {
  // The author goes back to it: it is the latest from now on.
  kMakeLatest,
  // It is just known already, as from an import of an older folder.
  kLeave,
};

// NOT_FOUND when the definition is missing; INVALID_ARGUMENT when the solution
// cannot implement it; ALREADY_EXISTS when the name belongs to another author
// or definition.
absl::StatusOr<Stored<v1::SolutionRecord>> CreateSolution(
    Session& session, const v1::Solution& solution,
    OldRevision old = OldRevision::kMakeLatest);

// NOT_FOUND when the definition is missing; INVALID_ARGUMENT when the workload
// does not fit it; FAILED_PRECONDITION when a blob is missing; ALREADY_EXISTS
// when the uuid stands for other content.
absl::StatusOr<Stored<v1::WorkloadRecord>> CreateWorkload(
    Session& session, absl::string_view definition,
    const v1::Workload& workload, const BlobStore& blobs);

}  // namespace assay

#endif  // ASSAY_SERVER_CATALOG_CATALOG_H_
