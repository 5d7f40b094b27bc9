#include "worker/evaluate/steadiness.h"

#include "worker/device/device_state.h"
#include "worker/evaluate/statistics.h"

namespace assay {
namespace {

constexpr double kMaxRelativeSpread = 0.1;
// Below this the spread is the timer's own.
constexpr double kMinSpreadMs = 2e-3;

}  // namespace

bool IsSteady(const std::vector<int64_t>& samples_ns,
              const v1::DeviceState& state) {
  if (IsSlowedDown(state)) return false;
  const LatencySummary summary = Summarize(samples_ns);
  const double spread = summary.p90 - summary.p10;
  return spread <= kMinSpreadMs ||
         spread <= kMaxRelativeSpread * summary.median;
}

}  // namespace assay
