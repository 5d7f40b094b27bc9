// Under which key the reference's latency is kept.

#ifndef ASSAY_WORKER_EVALUATE_LATENCY_KEY_H_
#define ASSAY_WORKER_EVALUATE_LATENCY_KEY_H_

#include <string>

#include "assay/v1/device.pb.h"
#include "assay/v1/worker_service.pb.h"
#include "worker/evaluate/settings.h"

namespace assay {

// Of everything that bears on it: definition, workload, device, libraries and
// the number of samples.
std::string LatencyKey(const v1::Lease& lease, const v1::LeasedJob& job,
                       const v1::Device& device,
                       const EvaluationSettings& settings);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_LATENCY_KEY_H_
