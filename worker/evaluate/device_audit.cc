#include "worker/evaluate/device_audit.h"

#include <optional>
#include <utility>
#include <variant>

#include "worker/evaluate/device_clock.h"
#include "worker/evaluate/statistics.h"

namespace assay {
namespace {

constexpr int kCalls = 5;
// More calls of one that takes long tell nothing new.
constexpr absl::Duration kBudget = absl::Milliseconds(100);

}  // namespace

Measurement::End DeviceAudit::Run(const Measurement& measurement) {
  samples_ = {};
  absl::Duration spent;
  for (int i = 0; i < kCalls && spent < kBudget; ++i) {
    Measurement::End end = MakeCall();
    if (!IsWell(end)) return end;
    spent += samples_.calls.back().elapsed;
  }
  calls_.GiveBack(samples_.calls);
  const LatencySummary claimed =
      Summarize(CallTimes(measurement.samples().calls));
  std::optional<BrokenRule> broken =
      JudgeDeviceClock(samples_.calls, samples_.pings,
                       absl::Milliseconds(claimed.median), fixed_);
  if (broken.has_value()) return *std::move(broken);
  return {};
}

Measurement::End DeviceAudit::MakeCall() {
  std::variant<TimedCall, JobFault> ping = draws_.Ping(Watching::kYes);
  if (auto* fault = std::get_if<JobFault>(&ping)) return std::move(*fault);
  if (auto fault = draws_.Draw()) return *std::move(fault);
  stages_.Enter(v1::MEASURE);
  CheckedCalls::End end = calls_.Make(Watching::kYes);
  auto* call = std::get_if<TimedCall>(&end);
  if (call == nullptr) return EndOf(std::move(end));
  samples_.pings.push_back(std::move(std::get<TimedCall>(ping)));
  samples_.calls.push_back(std::move(*call));
  return {};
}

}  // namespace assay
