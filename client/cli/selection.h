// Which part of a trace set is meant.

#ifndef ASSAY_CLIENT_CLI_SELECTION_H_
#define ASSAY_CLIENT_CLI_SELECTION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/cli/command_line.h"
#include "schema/trace_set.h"

namespace assay {

// Empty lists mean all.
struct Selection {
  void AddTo(Command command);

  bool is_everything() const {
    return definitions.empty() && solutions.empty() && op_type.empty();
  }

  std::vector<std::string> definitions;
  std::vector<std::string> solutions;
  std::string op_type;
};

// Reduces the set to the definitions and solutions selected, and the workloads
// and traces that belong to them. INVALID_ARGUMENT, with names that are near,
// when a selected name does not occur.
absl::Status ApplySelection(const Selection& selection, TraceSet& set);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_SELECTION_H_
