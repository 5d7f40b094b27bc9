#include "worker/evaluate/checked_calls.h"

#include "absl/strings/str_cat.h"
#include "base/random_id.h"
#include "base/status_macros.h"
#include "worker/evaluate/case_inputs.h"
#include "worker/evaluate/pause_rules.h"
#include "worker/evaluate/timing_rules.h"

namespace assay {
namespace {

// Randomness of the kernel: who saw some cannot tell the next.
int OneOf(int count) {
  return static_cast<int>(RandomBits128()[0] % static_cast<uint32_t>(count));
}

TimedCall TimesOf(const RunnerOutcome& outcome) {
  TimedCall call;
  call.call_ns = outcome.ran.call_ns(0);
  call.host_ns = outcome.ran.host_ns(0);
  if (!outcome.ran.outside_ns().empty()) {
    call.outside_ns = outcome.ran.outside_ns(0);
  }
  call.elapsed = outcome.elapsed;
  return call;
}

}  // namespace

std::optional<BrokenRule> JudgeProcessesLeft(const RunnerOutcome& outcome) {
  if (outcome.processes_left == 0) return std::nullopt;
  return BrokenRule{
      "process_left_running",
      absl::StrCat(
          "after a call, ", outcome.processes_left,
          " other processes of the solution were alive: ", outcome.left_names,
          "; what a call starts has to end with it")};
}

std::optional<BrokenRule> JudgeWaking(const RunnerOutcome& outcome) {
  if (!outcome.woke_itself) return std::nullopt;
  return BrokenRule{kRanBetweenCalls,
                    "the solution's process had itself woken, time and again, "
                    "while it was stopped between calls"};
}

CheckedCalls::CheckedCalls(Device& device, const ResolvedCase& sizes,
                           const CaseMemory& memory,
                           const EvaluationSettings& settings,
                           const measure::Key& pattern_key,
                           Evaluator& evaluator, SolutionProcess& solution)
    : device_(device),
      sizes_(sizes),
      memory_(memory),
      settings_(settings),
      pattern_key_(pattern_key),
      evaluator_(evaluator),
      solution_(solution),
      run_time_left_(settings.run_timeout) {
  for (const Region& guard : memory.Guards()) {
    guards_.push_back({guard, next_pattern_++});
  }
}

absl::Status CheckedCalls::PoisonGuards() {
  return device_.Poison(guards_, pattern_key_);
}

CheckedCalls::End CheckedCalls::Make(Evaluator& evaluator, Watching watching) {
  last_place_ = OneOf(memory_.places());
  const int slot = OneOf(memory_.slots());
  const absl::StatusOr<JudgedCall> prepared = Prepare(last_place_, slot);
  if (!prepared.ok()) return prepared.status();
  std::vector<absl::Duration> turns;
  const absl::StatusOr<RunnerOutcome> outcome = Request(slot, watching, turns);
  if (!outcome.ok()) return outcome.status();
  if (auto broken = JudgeWaking(*outcome)) return *std::move(broken);
  if (outcome->kind != RunnerOutcome::kOk) {
    return JudgeOutcome(*outcome, "running the solution",
                        settings_.run_timeout);
  }
  const absl::StatusOr<absl::Duration> idle = device_.TimeToIdle();
  if (!idle.ok()) return idle.status();
  run_time_left_ -= outcome->elapsed;
  TimedCall call = TimesOf(*outcome);
  call.time_to_idle = *idle;
  call.turns = std::move(turns);
  if (auto broken = CheckAnswer(*outcome, call)) return *std::move(broken);
  if (auto end = CheckMemory(*prepared, evaluator)) return *std::move(end);
  // Only of outputs that are right: who launches nothing by mistake is told of
  // wrong ones.
  if (requires_device_work_ && call.call_ns == 0) {
    return BrokenRule{"no_device_work",
                      "the device did nothing during a call: the outputs were "
                      "written at another time"};
  }
  return call;
}

absl::StatusOr<RunnerOutcome> CheckedCalls::Request(
    int slot, Watching watching, std::vector<absl::Duration>& turns) {
  worker::Run run;
  run.set_flush_bytes(device_.flush_bytes());
  run.add_calls()->set_draw(last_place_);
  run.mutable_calls(0)->set_slot(slot);
  std::unique_ptr<DeviceWatch> watch;
  if (watching == Watching::kYes) {
    ASSAY_ASSIGN_OR_RETURN(watch, device_.Watch());
  }
  absl::StatusOr<RunnerOutcome> outcome = solution_.Run(run, run_time_left_);
  if (watch != nullptr) {
    ASSAY_ASSIGN_OR_RETURN(turns, watch->Finish());
  }
  return outcome;
}

absl::StatusOr<JudgedCall> CheckedCalls::Prepare(int place, int slot) {
  JudgedCall judged;
  judged.slot = slot;
  judged.pattern_key = pattern_key_;
  for (size_t i = 0; i < sizes_.outputs.size(); ++i) {
    judged.before.push_back(
        {memory_.Output(slot, static_cast<int>(i)), next_pattern_++});
  }
  ASSAY_RETURN_IF_ERROR(device_.Poison(judged.before, pattern_key_));
  // Last: the less time there is to look at them before the clock starts, the
  // better.
  ASSAY_RETURN_IF_ERROR(DeliverInputs(device_, memory_, place));
  return judged;
}

std::optional<BrokenRule> CheckedCalls::CheckAnswer(
    const RunnerOutcome& outcome, const TimedCall& call) const {
  if (auto broken = JudgeProcessesLeft(outcome)) return broken;
  const bool by_host = device_.description().timer() == v1::HOST_CLOCK;
  return JudgeClaims(call, by_host);
}

std::optional<CheckedCalls::End> CheckedCalls::CheckMemory(
    const JudgedCall& judged, Evaluator& evaluator) {
  const absl::Status added = evaluator.Add(device_, memory_, judged);
  if (!added.ok()) return added;
  if (!evaluator.passed()) {
    return Verdict{v1::INCORRECT_NUMERICAL, evaluator.failure()};
  }
  const absl::StatusOr<bool> intact =
      device_.ArePoisoned(guards_, pattern_key_);
  if (!intact.ok()) return intact.status();
  if (*intact) return std::nullopt;
  return BrokenRule{"out_of_bounds_write",
                    "memory next to an output tensor was overwritten: the "
                    "solution writes outside of its outputs"};
}

absl::StatusOr<std::optional<BrokenRule>> CheckedCalls::CheckInputs() {
  const std::pair<Region, Region> pairs[] = {
      {memory_.Place(last_place_), memory_.Staged()},
      {memory_.GivenCopy(), memory_.Given()},
  };
  for (const auto& [copy, original] : pairs) {
    ASSAY_ASSIGN_OR_RETURN(const uint64_t got,
                           device_.Checksum(copy, pattern_key_));
    ASSAY_ASSIGN_OR_RETURN(const uint64_t want,
                           device_.Checksum(original, pattern_key_));
    if (got == want) continue;
    return BrokenRule{"input_modified",
                      "the solution changed its input tensors"};
  }
  return std::nullopt;
}

void CheckedCalls::GiveBack(const std::vector<TimedCall>& calls) {
  for (const TimedCall& call : calls) run_time_left_ += call.elapsed;
}

}  // namespace assay
