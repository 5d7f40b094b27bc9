// A trace set: a folder of definitions, solutions, workloads and traces.
//
//   ASSAY_ASSIGN_OR_RETURN(TraceSet set, ReadTraceSet("flashinfer-trace"));
//   for (const auto& item : set.definitions) Use(item.value);
//
// Read are `definitions/**.json`, `solutions/**.json` (any depth; a folder with
// a `solution.json` is an unpacked solution), `workloads/**.jsonl` and
// `traces/**.jsonl`. See trace_set_writer.h for the other direction and
// validate_trace_set.h for what the folder as a whole must satisfy.

#ifndef ASSAY_SCHEMA_TRACE_SET_H_
#define ASSAY_SCHEMA_TRACE_SET_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/solution.pb.h"
#include "schema/problem.h"

namespace assay {

template <typename T>
struct TraceSetItem {
  // Path relative to the root, followed by `:line` in a .jsonl file.
  std::string origin;
  T value;
};

struct TraceSet {
  std::string root;
  // Ordered by path, then by line.
  std::vector<TraceSetItem<v1::Definition>> definitions;
  std::vector<TraceSetItem<v1::Solution>> solutions;
  // Traces without solution and evaluation.
  std::vector<TraceSetItem<v1::Trace>> workloads;
  // Traces with solution and evaluation.
  std::vector<TraceSetItem<v1::Trace>> traces;
  // What could not be read; `path` starts with the origin.
  std::vector<Problem> problems;
};

// Reads a folder in packed or unpacked form. What is broken becomes a Problem
// and does not stop the rest. Nothing outside the root is opened: a symbolic
// link that leads there is a Problem. NOT_FOUND when there is no such folder,
// INVALID_ARGUMENT when it has none of the four subfolders.
absl::StatusOr<TraceSet> ReadTraceSet(const std::string& root);

}  // namespace assay

#endif  // ASSAY_SCHEMA_TRACE_SET_H_
