#include "worker/evaluate/performance_report.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "worker/evaluate/statistics.h"

namespace assay {
namespace {

// More samples than this are summarised but not kept.
constexpr size_t kMaxSamplesKept = 10'000;

}  // namespace

v1::Performance PerformanceOf(const Measurement& measurement, v1::Timer timer,
                              double reference_latency_ms) {
  const std::vector<TimedCall>& calls = measurement.samples().calls;
  const std::vector<int64_t> samples_ns = CallTimes(calls);
  const LatencySummary summary = Summarize(samples_ns);
  v1::Performance performance;
  performance.set_latency_ms(summary.median);
  performance.set_latency_p10_ms(summary.p10);
  performance.set_latency_p90_ms(summary.p90);
  performance.set_num_samples(static_cast<int32_t>(samples_ns.size()));
  performance.set_timer(timer);
  performance.set_reference_latency_ms(reference_latency_ms);
  if (summary.median > 0) {
    performance.set_speedup_factor(reference_latency_ms / summary.median);
  }
  for (size_t i = 0; i < std::min(samples_ns.size(), kMaxSamplesKept); ++i) {
    performance.add_samples_ms(static_cast<double>(samples_ns[i]) / 1e6);
  }
  std::vector<int64_t> host_ns;
  for (const TimedCall& call : calls) host_ns.push_back(call.host_ns);
  performance.set_host_latency_ms(Summarize(host_ns).median);
  performance.set_unstable(measurement.is_unstable());
  performance.set_repeats(measurement.repeats());
  const v1::DeviceState& state = measurement.samples().device_state;
  if (state.max_sm_clock_mhz() > 0) *performance.mutable_device_state() = state;
  return performance;
}

}  // namespace assay
