// What there is to compile for a solution, and whether it may be compiled.

#ifndef ASSAY_WORKER_BUILD_BUILD_PLAN_H_
#define ASSAY_WORKER_BUILD_BUILD_PLAN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/solution.pb.h"

namespace assay {

// Paths are relative to the folder of the sources.
struct BuildPlan {
  struct File {
    std::string path;
    std::string content;
  };

  // The sources and what was generated.
  std::vector<File> files;
  // Those of `files` to compile.
  std::vector<std::string> units;
  // In force; never unspecified.
  v1::BuildSpec::Binding binding = v1::BuildSpec::TVM_FFI;
  // Checked options of the solution.
  std::vector<std::string> options;
  // Names of libraries that its language knows.
  std::vector<std::string> dependencies;
  // For binding `c`: the unit that was generated; else empty.
  std::string generated_unit;
  // What the library must export.
  std::string exported_symbol;
  // The name after `::` in the entry point.
  std::string symbol;
  // "entry point "scale" must be: int scale(...)".
  std::string entry_advice;
};

// INVALID_ARGUMENT with a message for the author when the solution cannot be
// compiled whatever its sources say.
absl::StatusOr<BuildPlan> PlanBuild(const v1::Definition& definition,
                                    const v1::Solution& solution);

// `log`, the output of a failed compiler that was given "./" and each unit,
// with a line of advice where the entry point was the trouble.
std::string ExplainFailure(const BuildPlan& plan, absl::string_view log);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_BUILD_PLAN_H_
