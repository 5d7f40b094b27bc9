// Small valid objects for tests to start from.

#ifndef ASSAY_SCHEMA_SCHEMA_TESTING_H_
#define ASSAY_SCHEMA_SCHEMA_TESTING_H_

#include "assay/v1/definition.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/solution.pb.h"
#include "assay/v1/workload.pb.h"

namespace assay {

// `scale`: x [batch, hidden] float32 and the scalar factor give y like x;
// batch is var, hidden is const 16.
v1::Definition ScaleDefinition();

// `scale_c`: cpp with the binding `c`, in kernel.cpp.
v1::Solution ScaleSolution();

// batch 4, x random, factor 2.5.
v1::Workload ScaleWorkload();

// A PASSED evaluation with all that Assay adds.
v1::Evaluation PassedEvaluation();

// The four together.
v1::Trace ScaleTrace();

}  // namespace assay

#endif  // ASSAY_SCHEMA_SCHEMA_TESTING_H_
