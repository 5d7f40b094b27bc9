// Several trace sets become one.

#ifndef ASSAY_CLIENT_REPORT_MERGE_H_
#define ASSAY_CLIENT_REPORT_MERGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "schema/trace_set.h"

namespace assay {

// What was written, each thing once.
struct MergeReport {
  int64_t definitions = 0;
  int64_t solutions = 0;
  int64_t workloads = 0;
  int64_t traces = 0;
};

// Writes all that the sets hold to the new folder `output`, in their order.
// What is in several of them with the same content is written once.
// ALREADY_EXISTS when a definition, solution or workload of the same name, or a
// file of tensors at the same path, differs between them, with both places
// named: it cannot be told which one results belong to. Also when the folder is
// there and not empty. INVALID_ARGUMENT when something in a set cannot be read.
absl::StatusOr<MergeReport> MergeTraceSets(const std::vector<TraceSet>& sets,
                                           const std::string& output);

}  // namespace assay

#endif  // ASSAY_CLIENT_REPORT_MERGE_H_
