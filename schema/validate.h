// Whether objects of the schema make sense, alone and together.
//
//   std::vector<Problem> problems = ValidateSolutionFor(solution, definition);
//   for (const Problem& problem : problems) std::cerr << ToString(problem);
//
// Every problem is reported, not the first alone. Paths are those of the JSON
// form. The two-argument functions check what concerns both objects and expect
// each to be valid by itself. Thread-safe.

#ifndef ASSAY_SCHEMA_VALIDATE_H_
#define ASSAY_SCHEMA_VALIDATE_H_

#include <cstdint>
#include <vector>

#include "assay/v1/definition.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/solution.pb.h"
#include "assay/v1/workload.pb.h"
#include "schema/problem.h"

namespace assay {

// Largest sum of a solution's sources.
inline constexpr int64_t kMaxSourcesBytes = int64_t{16} << 20;

// Largest log of an evaluation; workers keep less of what is printed.
inline constexpr int64_t kMaxLogBytes = int64_t{4} << 20;

std::vector<Problem> ValidateDefinition(const v1::Definition& definition);

std::vector<Problem> ValidateSolution(const v1::Solution& solution);

// Whether the solution can implement the definition.
std::vector<Problem> ValidateSolutionFor(const v1::Solution& solution,
                                         const v1::Definition& definition);

// The workload by itself and against the definition. Files that it names are
// not opened (see validate_trace_set.h).
std::vector<Problem> ValidateWorkload(const v1::Workload& workload,
                                      const v1::Definition& definition);

// The presence rules: correctness for PASSED and INCORRECT_NUMERICAL only,
// performance for PASSED only, solution and evaluation together or neither.
std::vector<Problem> ValidateTrace(const v1::Trace& trace);

}  // namespace assay

#endif  // ASSAY_SCHEMA_VALIDATE_H_
