// What the argument of `assay submit` stands for.

#ifndef ASSAY_CLIENT_CLI_SOLUTION_SOURCE_H_
#define ASSAY_CLIENT_CLI_SOLUTION_SOURCE_H_

#include <string>

#include "absl/status/statusor.h"
#include "assay/v1/solution.pb.h"
#include "schema/trace_set.h"

namespace assay {

struct SolutionSource {
  enum Kind {
    // `solution` is set.
    kSolution,
    // `set` is set.
    kTraceSet,
    // Nothing on disk: perhaps the name of a stored solution.
    kStoredName,
  };
  Kind kind = kStoredName;
  v1::Solution solution;
  TraceSet set;
};

// Reads the JSON file of a solution, its folder, or the folder of a trace set.
// What looks like a path and does not exist is NOT_FOUND.
absl::StatusOr<SolutionSource> FindSolutionSource(const std::string& what);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_SOLUTION_SOURCE_H_
