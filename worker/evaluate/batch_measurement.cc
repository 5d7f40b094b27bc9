#include "worker/evaluate/batch_measurement.h"

#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "base/status_macros.h"
#include "worker/evaluate/checked_calls.h"
#include "worker/evaluate/outside_clock.h"
#include "worker/evaluate/statistics.h"

namespace assay {
namespace {

// Of batches, which are no reason to be short of memory.
constexpr int64_t kMostBytes = int64_t{256} << 20;

absl::Duration Claimed(const std::vector<TimedCall>& calls) {
  return absl::Milliseconds(Summarize(CallTimes(calls)).median);
}

worker::Run CallsOf(const CaseMemory& memory) {
  worker::Run run;
  for (int draw = 0; draw < memory.draws(); ++draw) {
    run.add_calls()->set_draw(draw);
    run.mutable_calls(draw)->set_slot(draw);
  }
  return run;
}

}  // namespace

BatchMeasurement::End BatchMeasurement::Run(const Measurement::Samples& samples,
                                            const OutsideAllowance& allowance) {
  const absl::Duration claimed = Claimed(samples.calls);
  const std::optional<CasePlan> plan =
      PlanBatch(tools_.sizes, tools_.workload,
                CallsPerBatch(claimed, tools_.draws.cost()), kMostBytes);
  if (!plan.has_value()) return {};
  absl::StatusOr<CaseMemory> memory =
      CaseMemory::Allocate(tools_.device, tools_.sizes, tools_.workload, *plan);
  if (absl::IsResourceExhausted(memory.status())) return {};
  if (!memory.ok()) return memory.status();
  memory_.emplace(*std::move(memory));
  if (End end = Prepare(); !IsWell(end)) return end;
  BatchJudge judge(claimed, plan->draws, OverheadOf(samples.pings).least,
                   allowance);
  do {
    std::variant<absl::Duration, End> elapsed = Make();
    if (End* end = std::get_if<End>(&elapsed)) return std::move(*end);
    if (judge.IsBorneOut(std::get<absl::Duration>(elapsed))) return {};
    std::variant<TimedCall, JobFault> control = tools_.baseline.Ping(
        tools_.settings, tools_.device, Watching::kNo, judge.control_time());
    if (auto* fault = std::get_if<JobFault>(&control)) return std::move(*fault);
    judge.AddControl(std::get<TimedCall>(control).elapsed);
  } while (!judge.is_over());
  if (auto broken = judge.broken()) return *std::move(broken);
  return {};
}

BatchMeasurement::End BatchMeasurement::Prepare() {
  for (const Region& given : {memory_->Given(), memory_->GivenCopy()}) {
    const absl::Status copied =
        tools_.device.Copy(tools_.memory.Given(), given);
    if (!copied.ok()) return copied;
  }
  if (auto fault = tools_.baseline.Bind(*memory_, tools_.settings)) {
    return *std::move(fault);
  }
  const absl::Duration timeout = tools_.settings.load_timeout;
  const absl::StatusOr<RunnerOutcome> bound =
      tools_.solution.Bind(*memory_, timeout);
  if (!bound.ok()) return bound.status();
  if (bound->kind == RunnerOutcome::kOk) return {};
  return JudgeOutcome(*bound, "binding memory", timeout);
}

std::variant<absl::Duration, BatchMeasurement::End> BatchMeasurement::Make() {
  if (auto fault = Draw()) return End(*std::move(fault));
  tools_.stages.Enter(v1::MEASURE);
  const absl::Status delivered = Deliver();
  if (!delivered.ok()) return End(delivered);
  const absl::Duration timeout = tools_.settings.run_timeout;
  const absl::StatusOr<RunnerOutcome> outcome =
      tools_.solution.Run(CallsOf(*memory_), timeout);
  if (!outcome.ok()) return End(outcome.status());
  if (auto broken = JudgeWaking(*outcome)) return End(*std::move(broken));
  if (outcome->kind != RunnerOutcome::kOk) {
    return End(JudgeOutcome(*outcome, "running the solution", timeout));
  }
  if (auto broken = JudgeProcessesLeft(*outcome)) {
    return End(*std::move(broken));
  }
  if (End end = CheckOutputs(); !IsWell(end)) return end;
  return outcome->elapsed;
}

std::optional<JobFault> BatchMeasurement::Draw() {
  for (int draw = 0; draw < memory_->draws(); ++draw) {
    if (auto fault = tools_.draws.Stage()) return fault;
    const absl::Status copied =
        tools_.device.Copy(tools_.memory.Staged(), memory_->Staged(draw));
    if (!copied.ok()) return WorkerFault(copied);
  }
  tools_.stages.Enter(v1::BASELINE);
  return tools_.baseline.ComputeAll(*memory_, tools_.settings);
}

absl::Status BatchMeasurement::Deliver() {
  Device& device = tools_.device;
  patterns_.clear();
  for (int slot = 0; slot < memory_->slots(); ++slot) {
    for (size_t i = 0; i < tools_.sizes.outputs.size(); ++i) {
      patterns_.push_back(
          {memory_->Output(slot, static_cast<int>(i)), next_pattern_++});
    }
  }
  ASSAY_RETURN_IF_ERROR(device.Poison(patterns_, tools_.pattern_key));
  ASSAY_RETURN_IF_ERROR(device.EvictFromCaches(memory_->GivenCopy()));
  for (int draw = 0; draw < memory_->draws(); ++draw) {
    ASSAY_RETURN_IF_ERROR(
        device.Copy(memory_->Staged(draw), memory_->Place(draw)));
  }
  return absl::OkStatus();
}

BatchMeasurement::End BatchMeasurement::CheckOutputs() {
  Evaluator& evaluator = tools_.evaluator;
  JudgedCall judged;
  judged.pattern_key = tools_.pattern_key;
  const auto outputs = static_cast<int64_t>(tools_.sizes.outputs.size());
  auto before = patterns_.begin();
  for (int draw = 0; draw < memory_->draws(); ++draw, before += outputs) {
    judged.slot = judged.draw = draw;
    judged.before.assign(before, before + outputs);
    const absl::Status added = evaluator.Add(tools_.device, *memory_, judged);
    if (!added.ok()) return added;
    if (!evaluator.passed()) {
      return Verdict{v1::INCORRECT_NUMERICAL, evaluator.failure()};
    }
  }
  return {};
}

}  // namespace assay
