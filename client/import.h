// Brings a trace set into a coordinator.
//
//   ASSAY_ASSIGN_OR_RETURN(TraceSet set, ReadTraceSet("flashinfer-trace"));
//   ASSAY_ASSIGN_OR_RETURN(ImportReport report,
//                          ImportTraceSet(client, std::move(set), {}));

#ifndef ASSAY_CLIENT_IMPORT_H_
#define ASSAY_CLIENT_IMPORT_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/catalog_service.pb.h"
#include "client/client.h"
#include "schema/trace_set.h"

namespace assay {

struct ImportOptions {
  // Told what is being done, e.g. "uploading blob 3 of 7".
  std::function<void(absl::string_view)> on_progress;
};

struct ImportReport {
  // As the coordinator answered; workloads whose files could not be read are
  // among the rejections.
  v1::ImportTraceSetResponse response;
  // Files that the coordinator did not have yet.
  int64_t blobs_uploaded = 0;
  int64_t bytes_uploaded = 0;
};

// Uploads the files that are missing there, then sends every item. An item that
// is refused is listed in the report and does not stop the rest; an error means
// that the import as a whole did not take place or broke off. Repeating it is
// harmless.
absl::StatusOr<ImportReport> ImportTraceSet(Client& client, TraceSet set,
                                            const ImportOptions& options);

}  // namespace assay

#endif  // ASSAY_CLIENT_IMPORT_H_
