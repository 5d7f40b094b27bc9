// One item of a trace set on its way into the store.

#ifndef ASSAY_SERVER_CATALOG_IMPORT_H_
#define ASSAY_SERVER_CATALOG_IMPORT_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "assay/v1/catalog_service.pb.h"
#include "server/blob/blob_store.h"
#include "server/store/session.h"

namespace assay {

enum class ImportKind { kDefinition, kSolution, kWorkload, kTrace };

struct Imported {
  ImportKind kind;
  // False: it was stored already.
  bool created = false;
};

// What can be said about the item without the store. INVALID_ARGUMENT when it
// is not valid by itself.
absl::Status CheckImportItem(const v1::ImportTraceSetRequest& item);

// Stores a checked item; a unit of work. Errors as in catalog.h.
absl::StatusOr<Imported> ImportItem(Session& session,
                                    const v1::ImportTraceSetRequest& item,
                                    const BlobStore& blobs);

// True for an error that speaks about the item; the others end the import.
bool IsAboutItem(const absl::Status& status);

// Adds what became of an item to the answer.
void Count(const v1::ImportTraceSetRequest& item,
           const absl::StatusOr<Imported>& outcome,
           v1::ImportTraceSetResponse& response);

}  // namespace assay

#endif  // ASSAY_SERVER_CATALOG_IMPORT_H_
