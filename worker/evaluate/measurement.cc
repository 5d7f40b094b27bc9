#include "worker/evaluate/measurement.h"

#include <optional>
#include <type_traits>
#include <utility>

#include "worker/device/device_state.h"
#include "worker/evaluate/steadiness.h"

namespace assay {
namespace {

// Reading takes as long as a short call.
constexpr int kCallsPerReading = 16;
// Further trials, to tell a machine that was busy from times that are forged.
constexpr int kMostFurtherTrials = 3;

bool IsWell(const Measurement::End& end) {
  return std::holds_alternative<std::monostate>(end);
}

// For calls that ended other than well.
Measurement::End EndOf(CheckedCalls::End end) {
  return std::visit(
      [](auto&& what) -> Measurement::End {
        if constexpr (std::is_same_v<std::decay_t<decltype(what)>, TimedCall>) {
          return std::monostate();
        } else {
          return std::forward<decltype(what)>(what);
        }
      },
      std::move(end));
}

}  // namespace

Measurement::End Measurement::Run() {
  for (int trial = 0; trial < settings_.num_trials; ++trial) {
    if (End end = RunTrial(); !IsWell(end)) return end;
  }
  return JudgeSamples();
}

Measurement::End Measurement::RunTrial() {
  Samples trial;
  while (true) {
    trial = {};
    if (End end = MakeCalls(trial); !IsWell(end)) return end;
    // Of a CPU, which everybody shares, nothing steady is expected.
    if (device_.description().kind() != "cuda" ||
        IsSteady(CallTimes(trial.calls), trial.device_state)) {
      break;
    }
    if (repeats_ == kMaxRepeats) {
      is_unstable_ = true;
      break;
    }
    ++repeats_;
    calls_.GiveBack(trial.calls);
  }
  Append(trial, samples_);
  AddReading(trial.device_state, samples_.device_state);
  return {};
}

Measurement::End Measurement::MakeCalls(Samples& samples) {
  if (End end = WarmUp(); !IsWell(end)) return end;
  const int count = TimedCallsPerTrial(settings_, draws_.cost());
  for (int i = 0; i < count; ++i) {
    if (i % kCallsPerReading == 0) ReadState(samples);
    if (End end = MakeCall(samples); !IsWell(end)) return end;
  }
  ReadState(samples);
  const auto broken = calls_.CheckInputs();
  if (!broken.ok()) return broken.status();
  if (broken->has_value()) return **broken;
  return {};
}

Measurement::End Measurement::MakeCall(Samples& samples) {
  // The reference's process has been idle for about as long, and as much has
  // been done since, as it will be with the solution's below.
  std::variant<TimedCall, JobFault> ping = draws_.Ping();
  if (auto* fault = std::get_if<JobFault>(&ping)) return std::move(*fault);
  if (auto fault = draws_.Draw()) return *std::move(fault);
  stages_.Enter(v1::MEASURE);
  CheckedCalls::End end = calls_.Make();
  const auto* call = std::get_if<TimedCall>(&end);
  if (call == nullptr) return EndOf(std::move(end));
  samples.pings.push_back(std::get<TimedCall>(ping));
  samples.calls.push_back(*call);
  return {};
}

// One draw is enough for calls whose times do not count.
Measurement::End Measurement::WarmUp() {
  if (settings_.warmup_runs == 0) return {};
  if (auto fault = draws_.Draw()) return *std::move(fault);
  stages_.Enter(v1::MEASURE);
  for (int i = 0; i < settings_.warmup_runs; ++i) {
    CheckedCalls::End end = calls_.Make();
    if (!std::holds_alternative<TimedCall>(end)) return EndOf(std::move(end));
  }
  return {};
}

Measurement::End Measurement::JudgeSamples() {
  Samples evidence = samples_;
  for (int further = 0;; ++further) {
    std::optional<BrokenRule> broken =
        JudgeTimes(evidence.calls, evidence.pings, limits_);
    if (!broken.has_value()) return {};
    if (further == kMostFurtherTrials) return *std::move(broken);
    Samples more;
    if (End end = MakeCalls(more); !IsWell(end)) return end;
    calls_.GiveBack(more.calls);
    Append(more, evidence);
  }
}

void Measurement::ReadState(Samples& samples) {
  const std::optional<v1::DeviceState> state = device_.ReadState();
  if (state.has_value()) AddReading(*state, samples.device_state);
}

void Append(const Measurement::Samples& more, Measurement::Samples& samples) {
  samples.calls.insert(samples.calls.end(), more.calls.begin(),
                       more.calls.end());
  samples.pings.insert(samples.pings.end(), more.pings.begin(),
                       more.pings.end());
}

std::vector<int64_t> CallTimes(const std::vector<TimedCall>& calls) {
  std::vector<int64_t> times;
  times.reserve(calls.size());
  for (const TimedCall& call : calls) times.push_back(call.call_ns);
  return times;
}

}  // namespace assay
