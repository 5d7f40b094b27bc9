// Keeps the processes of the references used last: starting one takes longer
// than most evaluations.

#ifndef ASSAY_WORKER_EVALUATE_BASELINE_POOL_H_
#define ASSAY_WORKER_EVALUATE_BASELINE_POOL_H_

#include "worker/evaluate/baseline.h"
#include "worker/evaluate/keyed_pool.h"

namespace assay {

// By the digest of the definition.
using BaselinePool = KeyedPool<Baseline>;

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_BASELINE_POOL_H_
