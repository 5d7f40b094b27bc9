// Checks a whole trace set, each object and how they fit together.

#ifndef ASSAY_SCHEMA_VALIDATE_TRACE_SET_H_
#define ASSAY_SCHEMA_VALIDATE_TRACE_SET_H_

#include <vector>

#include "schema/problem.h"
#include "schema/trace_set.h"

namespace assay {

// Everything that validate.h checks, and beyond it: names and uuids that occur
// twice, solutions and workloads whose definition is missing, safetensors files
// that are missing, broken, Git LFS pointers, or hold another dtype or shape.
// The problems found while reading come first. Paths start with the origin.
std::vector<Problem> ValidateTraceSet(const TraceSet& set);

}  // namespace assay

#endif  // ASSAY_SCHEMA_VALIDATE_TRACE_SET_H_
