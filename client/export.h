// Writes what a coordinator has stored to a new trace set folder, in
// FlashInfer-Trace's form.

#ifndef ASSAY_CLIENT_EXPORT_H_
#define ASSAY_CLIENT_EXPORT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/client.h"

namespace assay {

struct ExportOptions {
  // Only these definitions and what belongs to them; empty means all.
  std::vector<std::string> definitions;
  // Told what is being done, e.g. "writing solutions".
  std::function<void(absl::string_view)> on_progress;
};

struct ExportReport {
  int64_t definitions = 0;
  int64_t solutions = 0;
  int64_t workloads = 0;
  int64_t traces = 0;
  int64_t blobs = 0;
  // Left out: measured of a solution that has been revised since.
  int64_t traces_of_other_revisions = 0;
  // Files that traces name and the coordinator does not have any more.
  int64_t blobs_missing = 0;
};

// ALREADY_EXISTS when `root` is a folder with content. NOT_FOUND when one of
// the named definitions is unknown. After an error the folder is incomplete.
absl::StatusOr<ExportReport> ExportTraceSet(Client& client,
                                            const std::string& root,
                                            const ExportOptions& options);

}  // namespace assay

#endif  // ASSAY_CLIENT_EXPORT_H_
