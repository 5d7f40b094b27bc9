#include "worker/evaluate/checked_calls.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "base/random_id.h"
#include "base/status_macros.h"
#include "worker/device/device_state.h"

namespace assay {
namespace {

// Randomness of the kernel for std::shuffle: who sees some draws cannot tell
// the next ones.
struct KernelRandom {
  using result_type = uint32_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return UINT32_MAX; }
  result_type operator()() const { return RandomBits128()[0]; }
};

std::vector<int> ShuffledDraws(int count, int draws) {
  std::vector<int> shuffled(count);
  for (int i = 0; i < count; ++i) shuffled[i] = i % draws;
  std::shuffle(shuffled.begin(), shuffled.end(), KernelRandom());
  return shuffled;
}

bool IsWell(const CheckedCalls::End& end) {
  return std::holds_alternative<std::monostate>(end);
}

absl::Duration Sum(const google::protobuf::RepeatedField<int64_t>& times_ns) {
  absl::Duration sum;
  for (const int64_t time_ns : times_ns) sum += absl::Nanoseconds(time_ns);
  return sum;
}

}  // namespace

CheckedCalls::CheckedCalls(Device& device, const ResolvedCase& sizes,
                           const CaseMemory& memory,
                           const EvaluationSettings& settings,
                           const measure::Key& pattern_key, OutputCheck& check,
                           SolutionProcess& solution)
    : device_(device),
      sizes_(sizes),
      memory_(memory),
      settings_(settings),
      pattern_key_(pattern_key),
      check_(check),
      solution_(solution),
      run_time_left_(settings.run_timeout) {
  for (const Region& guard : memory.guards()) {
    guards_.push_back({guard, next_pattern_++});
  }
}

absl::Status CheckedCalls::PoisonGuards() {
  return device_.Poison(guards_, pattern_key_);
}

CheckedCalls::End CheckedCalls::Make(int count, CallTimes* times) {
  const std::vector<int> draws = ShuffledDraws(count, memory_.draws());
  for (auto begin = draws.begin(); begin != draws.end();) {
    const auto end =
        begin + std::min<ptrdiff_t>(draws.end() - begin, memory_.slots());
    End batch = MakeBatch({begin, end}, times);
    if (!IsWell(batch)) return batch;
    begin = end;
  }
  return {};
}

CheckedCalls::End CheckedCalls::MakeBatch(const std::vector<int>& draws,
                                          CallTimes* times) {
  const absl::Status poisoned = PoisonOutputs(draws.size());
  if (!poisoned.ok()) return poisoned;
  worker::Run run;
  run.set_flush_bytes(device_.flush_bytes());
  for (size_t i = 0; i < draws.size(); ++i) {
    worker::Run::Call& call = *run.add_calls();
    call.set_draw(draws[i]);
    call.set_slot(static_cast<int>(i));
  }
  ReadState(times);
  const absl::StatusOr<RunnerOutcome> outcome =
      solution_.Run(run, run_time_left_);
  if (!outcome.ok()) return outcome.status();
  if (outcome->kind != RunnerOutcome::kOk) {
    return JudgeOutcome(*outcome, "running the solution",
                        settings_.run_timeout);
  }
  ReadState(times);
  run_time_left_ -= outcome->elapsed;
  if (End end = CheckTimes(*outcome); !IsWell(end)) return end;
  if (End end = CheckOutputs(draws); !IsWell(end)) return end;
  if (times != nullptr) {
    const worker::Ran& ran = outcome->ran;
    times->call_ns.insert(times->call_ns.end(), ran.call_ns().begin(),
                          ran.call_ns().end());
    times->host_ns.insert(times->host_ns.end(), ran.host_ns().begin(),
                          ran.host_ns().end());
    times->elapsed += outcome->elapsed;
  }
  return CheckGuards();
}

absl::Status CheckedCalls::PoisonOutputs(size_t slots) {
  std::vector<PatternRegion> outputs;
  outputs.reserve(slots * sizes_.outputs.size());
  for (size_t slot = 0; slot < slots; ++slot) {
    for (size_t output = 0; output < sizes_.outputs.size(); ++output) {
      outputs.push_back(
          {memory_.Output(static_cast<int>(slot), static_cast<int>(output)),
           next_pattern_++});
    }
  }
  return device_.Poison(outputs, pattern_key_);
}

void CheckedCalls::ReadState(CallTimes* times) {
  if (times == nullptr) return;
  const std::optional<v1::DeviceState> state = device_.ReadState();
  if (state.has_value()) AddReading(*state, times->device_state);
}

// Times that are too long to be true. What is too short is for other rules.
CheckedCalls::End CheckedCalls::CheckTimes(const RunnerOutcome& outcome) const {
  const auto& call_ns = outcome.ran.call_ns();
  if (requires_device_work_ &&
      std::find(call_ns.begin(), call_ns.end(), 0) != call_ns.end()) {
    return BrokenRule{"no_device_work",
                      "the device did nothing during a call: the outputs were "
                      "written at another time"};
  }
  const absl::Duration claimed =
      std::max(Sum(outcome.ran.call_ns()), Sum(outcome.ran.host_ns()));
  if (claimed <= outcome.elapsed) return {};
  return BrokenRule{
      "impossible_times",
      absl::StrCat("the runner claims calls of ", absl::FormatDuration(claimed),
                   " in all, and had no more than ",
                   absl::FormatDuration(outcome.elapsed))};
}

CheckedCalls::End CheckedCalls::CheckOutputs(const std::vector<int>& draws) {
  const absl::Status status = check_.Add(device_, memory_, draws);
  if (!status.ok()) return status;
  if (check_.passed()) return {};
  return Verdict{v1::INCORRECT_NUMERICAL, check_.failure()};
}

CheckedCalls::End CheckedCalls::CheckGuards() {
  const absl::StatusOr<bool> intact =
      device_.ArePoisoned(guards_, pattern_key_);
  if (!intact.ok()) return intact.status();
  if (*intact) return {};
  return BrokenRule{"out_of_bounds_write",
                    "memory next to an output tensor was overwritten: the "
                    "solution writes outside of its outputs"};
}

}  // namespace assay
