// Writes a trace set in FlashInfer-Trace's own (packed) form.
//
//   ASSAY_ASSIGN_OR_RETURN(auto writer, TraceSetWriter::Create("export"));
//   ASSAY_RETURN_IF_ERROR(writer->AddDefinition(definition));
//   ASSAY_RETURN_IF_ERROR(writer->AddTrace(trace));

#ifndef ASSAY_SCHEMA_TRACE_SET_WRITER_H_
#define ASSAY_SCHEMA_TRACE_SET_WRITER_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/solution.pb.h"
#include "schema/trace_set.h"

namespace assay {

// One writer to a folder at a time. A definition is added before what refers to
// it, for its op_type is part of their paths (FAILED_PRECONDITION otherwise).
// Thread-compatible.
class TraceSetWriter {
 public:
  // Creates the folder. One that has content is ALREADY_EXISTS, so that two
  // trace sets are never mixed.
  static absl::StatusOr<std::unique_ptr<TraceSetWriter>> Create(
      const std::string& root);

  // definitions/<op_type>/<name>.json
  absl::Status AddDefinition(const v1::Definition& definition);

  // solutions/<author>/<op_type>/<definition>/<name>.json. The same name twice
  // is ALREADY_EXISTS.
  absl::Status AddSolution(const v1::Solution& solution);

  // Appends a line to workloads/<op_type>/<definition>.jsonl. Files that the
  // workload names are added with AddBlob.
  absl::Status AddWorkload(absl::string_view definition,
                           const v1::Workload& workload);

  // Appends a line to traces/<op_type>/<definition>.jsonl.
  absl::Status AddTrace(const v1::Trace& trace);

  // Writes the content of a file that a workload names, at that path. The same
  // path again is fine with the same content, ALREADY_EXISTS with other.
  absl::Status AddBlob(absl::string_view path, absl::string_view content);

 private:
  explicit TraceSetWriter(std::string root) : root_(std::move(root)) {}

  absl::StatusOr<std::string> OpTypeOf(absl::string_view definition) const;
  absl::Status AddLine(absl::string_view folder, const v1::Trace& trace);
  absl::Status WriteNew(const std::string& relative, absl::string_view content);

  const std::string root_;
  // By name of the definition.
  std::map<std::string, std::string> op_types_;
  // Names of the solutions so far.
  std::set<std::string> solutions_;
};

// Adds all of `set` but the files that its workloads name, which CopyBlobs
// adds.
absl::Status AddItems(const TraceSet& set, TraceSetWriter& writer);
absl::Status CopyBlobs(const TraceSet& set, TraceSetWriter& writer);

// Writes all of `set` to the new folder `root`, with the files that its
// workloads name copied from `set.root`.
absl::Status WriteTraceSet(const TraceSet& set, const std::string& root);

}  // namespace assay

#endif  // ASSAY_SCHEMA_TRACE_SET_WRITER_H_
