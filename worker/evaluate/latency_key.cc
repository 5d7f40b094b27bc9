#include "worker/evaluate/latency_key.h"

#include <map>

#include "base/sha256.h"

namespace assay {

std::string LatencyKey(const v1::Lease& lease, const v1::LeasedJob& job,
                       const v1::Device& device,
                       const EvaluationSettings& settings) {
  // Another number after every change of how a latency is taken.
  FieldDigest digest("assay.reference_latency.v2");
  digest.Text(lease.definition_digest())
      .Text(job.workload_digest())
      .Text(device.model())
      .Text(device.uuid())
      .Text(v1::Timer_Name(device.timer()))
      .Int(settings.warmup_runs)
      .Int(settings.iterations)
      .Int(settings.num_trials);
  const std::map<std::string, std::string> libs(device.libs().begin(),
                                                device.libs().end());
  for (const auto& [name, version] : libs) digest.Text(name).Text(version);
  return digest.Hex();
}

}  // namespace assay
