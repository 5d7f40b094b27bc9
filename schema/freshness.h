// How new the inputs of a workload can be to a solution.

#ifndef ASSAY_SCHEMA_FRESHNESS_H_
#define ASSAY_SCHEMA_FRESHNESS_H_

#include "assay/v1/definition.pb.h"
#include "assay/v1/workload.pb.h"
#include "schema/shape.h"

namespace assay {

enum class Freshness {
  // Some are random: no call has been there before.
  kRandom,
  // All are stored, and some are floating-point tensors: calls with values near
  // the stored ones show who computes; see kernels/measure/vary.h.
  kVaried,
  // All are stored, and none can be varied: answers can be stored as well.
  kStored,
};

Freshness FreshnessOf(const ResolvedCase& sizes, const v1::Workload& workload);

// Whether the values of this input, a stored one, can be varied: those of a
// floating-point tensor in a file can, but for float4, of which neighbours are
// far apart.
bool CanVary(const ResolvedTensor& tensor, const v1::WorkloadInput& given);

}  // namespace assay

#endif  // ASSAY_SCHEMA_FRESHNESS_H_
