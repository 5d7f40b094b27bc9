// A solution as a folder of files, and as one object.
//
// The folder holds `solution.json`, whose `sources` name files beside it and
// have no `content`.

#ifndef ASSAY_SCHEMA_PACK_H_
#define ASSAY_SCHEMA_PACK_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "assay/v1/solution.pb.h"
#include "schema/confined_folder.h"

namespace assay {

// Writes the solution to `dir`, which is created. A file that is there already
// with other content is ALREADY_EXISTS and nothing is written. Source paths
// that would leave the folder are INVALID_ARGUMENT.
absl::Status UnpackSolution(const v1::Solution& solution,
                            const std::string& dir);

// Reads the solution in `dir`. Symbolic links may not lead outside the trace
// set that contains `dir`, or outside `dir` when none does.
absl::StatusOr<v1::Solution> PackSolution(const std::string& dir);

// The same for the folder at `dir` in `root`, to which links are confined.
absl::StatusOr<v1::Solution> PackSolution(const ConfinedFolder& root,
                                          const std::string& dir);

}  // namespace assay

#endif  // ASSAY_SCHEMA_PACK_H_
