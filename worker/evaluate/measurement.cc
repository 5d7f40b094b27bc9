#include "worker/evaluate/measurement.h"

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "worker/device/device_state.h"
#include "worker/evaluate/evaluators/evaluator.h"
#include "worker/evaluate/steadiness.h"

namespace assay {
namespace {

// Reading takes as long as a short call.
constexpr int kCallsPerReading = 16;
// The outside clock needs a median and its spread, and a ping takes as long as
// a short call: there are so many in a row, then fewer.
constexpr size_t kPingsInARow = 5;
constexpr size_t kCallsPerPing = 5;
// A solution may take a second: for warming up there is this much time in a
// trial, and this much for timed calls,
constexpr absl::Duration kWarmUpBudget = absl::Milliseconds(200);
constexpr absl::Duration kCallBudget = absl::Seconds(1);
// but for the fewest that make a median.
constexpr size_t kFewestCalls = 5;
// Further trials, to tell a machine that was busy from times that are forged.
constexpr int kMostFurtherTrials = 3;

// For varied calls that ended neither with right nor with wrong outputs.
Measurement::End StopFor(CheckedCalls::End end) {
  if (auto* status = std::get_if<absl::Status>(&end)) return std::move(*status);
  const auto* broken = std::get_if<BrokenRule>(&end);
  return VariedStop{absl::StrCat(
      "a call on values near those that are stored ended otherwise: ",
      broken != nullptr ? broken->evidence : std::get<Verdict>(end).message)};
}

Measurement::End StopFor(JobFault fault) {
  if (fault.failure.reason() != kReferenceFailed) return fault;
  return VariedStop{absl::StrCat(
      "beside the solution the reference failed on values near those that are "
      "stored: ",
      fault.failure.message())};
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
  const std::vector<bool> is_varied =
      draws_.varies() ? MixedOrder(count) : std::vector<bool>(count);
  absl::Duration spent;
  for (size_t i = 0; i < is_varied.size(); ++i) {
    if (samples.calls.size() >= kFewestCalls && spent > kCallBudget) break;
    if (i % kCallsPerReading == 0) ReadState(samples);
    if (i < kPingsInARow || i % kCallsPerPing == 0) {
      if (End end = Ping(samples); !IsWell(end)) return end;
    }
    End end = is_varied[i] ? MakeVariedCall(samples) : MakeCall(samples);
    if (!IsWell(end)) return end;
    if (!is_varied[i]) spent += samples.calls.back().elapsed;
  }
  ReadState(samples);
  const auto broken = calls_.CheckInputs();
  if (!broken.ok()) return broken.status();
  if (broken->has_value()) return **broken;
  return {};
}

Measurement::End Measurement::MakeCall(Samples& samples) {
  if (auto fault = draws_.Draw()) return *std::move(fault);
  stages_.Enter(v1::MEASURE);
  CheckedCalls::End end = calls_.Make();
  const auto* call = std::get_if<TimedCall>(&end);
  if (call == nullptr) return EndOf(std::move(end));
  samples.calls.push_back(*call);
  return {};
}

Measurement::End Measurement::Ping(Samples& samples) {
  std::variant<TimedCall, JobFault> ping = draws_.Ping();
  if (auto* fault = std::get_if<JobFault>(&ping)) return std::move(*fault);
  samples.pings.push_back(std::get<TimedCall>(std::move(ping)));
  return {};
}

Measurement::End Measurement::MakeVariedCall(Samples& samples) {
  if (auto fault = draws_.DrawVaried()) return StopFor(*std::move(fault));
  stages_.Enter(v1::MEASURE);
  const std::unique_ptr<Evaluator> evaluator = calls_.evaluator().Fresh();
  CheckedCalls::End end = calls_.Make(*evaluator);
  ++varied_.made;
  if (const auto* call = std::get_if<TimedCall>(&end)) {
    samples.varied.push_back(*call);
    calls_.GiveBack({*call});
    return {};
  }
  if (evaluator->passed()) return StopFor(std::move(end));
  if (varied_.wrong++ == 0) varied_.first_difference = evaluator->failure();
  return {};
}

// One draw is enough for calls whose times do not count.
Measurement::End Measurement::WarmUp() {
  if (settings_.warmup_runs == 0) return {};
  if (auto fault = draws_.Draw()) return *std::move(fault);
  stages_.Enter(v1::MEASURE);
  absl::Duration spent;
  for (int i = 0; i < settings_.warmup_runs && spent < kWarmUpBudget; ++i) {
    CheckedCalls::End end = calls_.Make();
    const auto* call = std::get_if<TimedCall>(&end);
    if (call == nullptr) return EndOf(std::move(end));
    spent += call->elapsed;
  }
  return {};
}

Measurement::End Measurement::JudgeSamples() {
  Samples evidence = samples_;
  for (int further = 0;; ++further) {
    std::optional<BrokenRule> broken = JudgeForgery(evidence);
    faster_on_stored_ = JudgeVariedTimes(evidence.calls, evidence.varied);
    if (!broken.has_value() && !faster_on_stored_.has_value()) return {};
    if (further == kMostFurtherTrials) {
      if (broken.has_value()) return *std::move(broken);
      return {};
    }
    Samples more;
    if (End end = MakeCalls(more); !IsWell(end)) return end;
    calls_.GiveBack(more.calls);
    Append(more, evidence);
  }
}

std::optional<BrokenRule> Measurement::JudgeForgery(
    const Samples& evidence) const {
  if (auto broken = JudgeTimes(evidence.calls, evidence.pings, limits_)) {
    return broken;
  }
  // Who is slow on varied values could claim that it is not.
  return JudgeTimes(evidence.varied, evidence.pings, limits_);
}

std::vector<BrokenRule> Measurement::Suspicions() const {
  std::vector<BrokenRule> suspicions;
  if (auto broken = JudgeVariedOutcome(varied_)) {
    suspicions.push_back(*std::move(broken));
  }
  if (faster_on_stored_) suspicions.push_back(*faster_on_stored_);
  return suspicions;
}

void Measurement::ReadState(Samples& samples) {
  const std::optional<v1::DeviceState> state = device_.ReadState();
  if (state.has_value()) AddReading(*state, samples.device_state);
}

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

void Append(const Measurement::Samples& more, Measurement::Samples& samples) {
  samples.calls.insert(samples.calls.end(), more.calls.begin(),
                       more.calls.end());
  samples.pings.insert(samples.pings.end(), more.pings.begin(),
                       more.pings.end());
  samples.varied.insert(samples.varied.end(), more.varied.begin(),
                        more.varied.end());
}

std::vector<int64_t> CallTimes(const std::vector<TimedCall>& calls) {
  std::vector<int64_t> times;
  times.reserve(calls.size());
  for (const TimedCall& call : calls) times.push_back(call.call_ns);
  return times;
}

}  // namespace assay
