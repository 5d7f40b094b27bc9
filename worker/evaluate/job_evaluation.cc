#include "worker/evaluate/job_evaluation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/random_id.h"
#include "base/status_macros.h"
#include "worker/evaluate/batch_measurement.h"
#include "worker/evaluate/case_inputs.h"
#include "worker/evaluate/device_audit.h"
#include "worker/evaluate/device_clock.h"
#include "worker/evaluate/evaluation_report.h"
#include "worker/evaluate/evaluators/new_evaluator.h"
#include "worker/evaluate/latency_key.h"
#include "worker/evaluate/memory_return.h"
#include "worker/evaluate/outside_clock.h"
#include "worker/evaluate/pause_rules.h"
#include "worker/evaluate/performance_report.h"
#include "worker/evaluate/steadiness.h"
#include "worker/evaluate/timing_rules.h"
#include "worker/evaluate/varied_calls.h"

namespace assay {
namespace {

measure::Key FreshKey() {
  const std::array<uint32_t, 4> bits = RandomBits128();
  return {{bits[0], bits[1], bits[2], bits[3]}};
}

std::string KeyHex(const measure::Key& key) {
  return absl::StrFormat("%08x%08x%08x%08x", key.words[0], key.words[1],
                         key.words[2], key.words[3]);
}

// A solution may take a second: for repeated calls there is this much time, but
// for the fewest that tell something.
constexpr absl::Duration kRepeatedCallsBudget = absl::Seconds(10);
constexpr int kFewestRepeatedCalls = 250;

// Whether the solution's process is what the evaluation failed on, so that it
// may be in any state.
bool IsAbnormal(v1::EvaluationStatus status) {
  return status == v1::RUNTIME_ERROR || status == v1::TIMEOUT ||
         status == v1::COMPILE_ERROR || status == v1::INCORRECT_SHAPE ||
         status == v1::INCORRECT_DTYPE;
}

}  // namespace

JobEvaluation::JobEvaluation(const EvaluationTools& tools,
                             const v1::Lease& lease, const v1::LeasedJob& job,
                             const EvaluationSettings& settings,
                             Baseline& baseline, SolutionProcess& solution,
                             StageClock& stages)
    : tools_(tools),
      lease_(lease),
      job_(job),
      settings_(settings),
      baseline_(baseline),
      solution_(solution),
      stages_(stages),
      input_key_(FreshKey()),
      pattern_key_(FreshKey()) {}

JobResult JobEvaluation::Run() {
  if (Prepare() && MakeInputs() && RunBaseline() && LoadSolution() &&
      CheckOnce() && CheckRepeatedly() && Measure() && ConcludeCheck()) {
    Pass();
  }
  CleanUp();
  return std::move(result_);
}

bool JobEvaluation::Prepare() {
  stages_.Enter(v1::INPUTS);
  absl::StatusOr<ResolvedCase> sizes =
      ResolveCase(lease_.definition(), job_.workload());
  if (!sizes.ok()) {
    return EndWith(
        FinalFault(kWorkloadInvalid, std::string(sizes.status().message())));
  }
  sizes_ = *std::move(sizes);
  absl::StatusOr<std::unique_ptr<Evaluator>> evaluator =
      NewEvaluator(lease_.definition(), job_.workload(), sizes_, settings_);
  if (!evaluator.ok()) {
    return EndWith(FinalFault(kWorkloadInvalid,
                              std::string(evaluator.status().message())));
  }
  evaluator_ = *std::move(evaluator);
  const absl::StatusOr<CasePlan> plan = PlanCase(
      sizes_, job_.workload(), tools_.device.description().memory_bytes());
  if (!plan.ok()) {
    return EndWith(
        FinalFault(kOutOfMemory, std::string(plan.status().message())));
  }
  absl::StatusOr<CaseMemory> memory = Allocate(*plan);
  if (!memory.ok() && !absl::IsResourceExhausted(memory.status())) {
    return EndWith(memory.status());
  }
  if (!memory.ok()) {
    JobFault fault =
        FinalFault(kOutOfMemory, std::string(memory.status().message()));
    fault.retryable = true;
    return EndWith(std::move(fault));
  }
  memory_.emplace(*std::move(memory));
  calls_.emplace(tools_.device, sizes_, *memory_, settings_, pattern_key_,
                 *evaluator_, solution_);
  draws_.emplace(tools_, lease_, job_, sizes_, *memory_, settings_, input_key_,
                 baseline_, stages_);
  // What it returns it may have had before, as a view of an input.
  if (tools_.device.description().timer() == v1::CUPTI &&
      lease_.solution().spec().destination_passing_style() &&
      sizes_.output_bytes > 0) {
    calls_->RequireDeviceWork();
  }
  const absl::Status status = calls_->PoisonGuards();
  return status.ok() || EndWith(status);
}

absl::StatusOr<CaseMemory> JobEvaluation::Allocate(const CasePlan& plan) {
  const auto allocate = [&] {
    return CaseMemory::Allocate(tools_.device, sizes_, job_.workload(), plan);
  };
  absl::StatusOr<CaseMemory> memory = allocate();
  if (!absl::IsResourceExhausted(memory.status())) return memory;
  // What holds the memory may be the solution, or references of other
  // definitions.
  FreeMemory();
  ASSAY_RETURN_IF_ERROR(RetryWhileExhausted(tools_.clock, [&] {
    memory = allocate();
    return memory.status();
  }));
  return memory;
}

bool JobEvaluation::MakeInputs() {
  const absl::Status status = UploadFixedInputs(
      tools_.device, sizes_, job_.workload(), tools_.blobs, *memory_);
  if (absl::IsInvalidArgument(status)) {
    return EndWith(FinalFault(kWorkloadInvalid, std::string(status.message())));
  }
  if (absl::IsInternal(status)) return EndWith(status);
  if (!status.ok()) {
    JobFault fault =
        FinalFault(kInputUnavailable, std::string(status.message()));
    fault.retryable = !absl::IsNotFound(status);
    return EndWith(std::move(fault));
  }
  return true;
}

bool JobEvaluation::RunBaseline() {
  stages_.Enter(v1::BASELINE);
  if (std::optional<JobFault> fault = PrepareBaseline()) {
    if (!MayFreeMemory(*fault)) return EndWith(*std::move(fault));
    FreeMemory();
    fault = PrepareBaseline();
    if (fault) return EndWith(*std::move(fault));
  }
  return DrawInputs() && TryVarying() && TimeReference();
}

bool JobEvaluation::MayFreeMemory(const JobFault& fault) {
  return fault.failure.reason() == kReferenceFailed &&
         (solution_.is_loaded() ||
          absl::StrContains(fault.failure.message(), "out of memory"));
}

void JobEvaluation::FreeMemory() {
  solution_.End();
  tools_.baselines.Clear();
}

std::optional<JobFault> JobEvaluation::PrepareBaseline() {
  if (std::optional<JobFault> fault = baseline_.Start(
          lease_.definition(), lease_.definition_digest(), settings_)) {
    return fault;
  }
  return baseline_.Bind(*memory_, settings_);
}

bool JobEvaluation::DrawInputs() {
  std::optional<JobFault> fault = draws_->Draw();
  if (!fault) return true;
  if (!MayFreeMemory(*fault)) return EndWith(*std::move(fault));
  // The solution has not run in this job, and starts anew.
  FreeMemory();
  fault = PrepareBaseline();
  if (!fault) fault = draws_->ComputeAgain();
  return !fault || EndWith(*std::move(fault));
}

bool JobEvaluation::TryVarying() {
  if (!draws_->varies()) return true;
  std::optional<JobFault> fault = draws_->DrawVaried();
  if (fault && fault->failure.reason() == kReferenceFailed) {
    draws_->StopVarying();
    AddFinding({kInputsNotVaried, fault->failure.message()}, v1::Finding::NOTE);
    fault = PrepareBaseline();
  }
  if (!fault) fault = draws_->Draw();
  return !fault || EndWith(*std::move(fault));
}

bool JobEvaluation::EndWithBaselineFault(JobFault fault) {
  if (!solution_.is_loaded() || fault.failure.reason() != kReferenceFailed) {
    return EndWith(std::move(fault));
  }
  absl::StrAppend(&printed_, solution_.TakeLog());
  solution_.End();
  if (PrepareBaseline() || draws_->ComputeAgain()) {
    return EndWith(std::move(fault));
  }
  return EndWith(
      Verdict{v1::RUNTIME_ERROR,
              absl::StrCat(
                  "the reference fails while the solution is loaded, and works "
                  "without it; does the solution keep the device's memory for "
                  "itself? ",
                  fault.failure.message())});
}

bool JobEvaluation::TimeReference() {
  if (!settings_.time_reference) return true;
  const std::string key =
      LatencyKey(lease_, job_, tools_.device.description(), settings_);
  if (const absl::optional<double> known =
          tools_.reference_latencies.Find(key)) {
    reference_latency_ms_ = *known;
    return true;
  }
  // Nothing may disturb what all later solutions are compared with.
  solution_.End();
  for (int repeats = 0; repeats <= kMaxRepeats; ++repeats) {
    std::variant<ReferenceTime, JobFault> timed =
        baseline_.Time(*memory_, settings_, tools_.device);
    if (JobFault* fault = std::get_if<JobFault>(&timed)) {
      return EndWith(std::move(*fault));
    }
    const ReferenceTime& time = std::get<ReferenceTime>(timed);
    reference_latency_ms_ = time.median_ms;
    if (time.is_slowed_down || time.median_ms == 0) continue;
    tools_.reference_latencies.Store(key, time.median_ms);
    break;
  }
  return true;
}

bool JobEvaluation::LoadSolution() {
  stages_.Enter(v1::START);
  const absl::Status started = solution_.Start(settings_.load_timeout);
  if (!started.ok()) return EndWith(started);
  stages_.Enter(v1::LOAD);
  const absl::StatusOr<std::optional<Verdict>> loaded =
      solution_.Load(settings_.load_timeout);
  if (!loaded.ok()) return EndWith(loaded.status());
  if (loaded->has_value()) return EndWith(**loaded);
  const absl::StatusOr<RunnerOutcome> bound =
      solution_.Bind(*memory_, settings_.load_timeout);
  if (!bound.ok()) return EndWith(bound.status());
  if (bound->kind == RunnerOutcome::kOk) return true;
  return EndWith(
      JudgeOutcome(*bound, "binding memory", settings_.load_timeout));
}

template <typename End>
bool JobEvaluation::GoOnAfter(const End& end) {
  if (const auto* verdict = std::get_if<Verdict>(&end)) {
    return EndWith(*verdict);
  }
  if (const auto* broken = std::get_if<BrokenRule>(&end)) {
    return EndWith(*broken);
  }
  if (const auto* status = std::get_if<absl::Status>(&end)) {
    return EndWith(*status);
  }
  return true;
}

bool JobEvaluation::CheckOnce() {
  stages_.Enter(v1::CHECK);
  return GoOnAfter(calls_->Make());
}

bool JobEvaluation::CheckRepeatedly() {
  absl::Duration spent;
  for (int i = 0; i < evaluator_->repeated_calls(); ++i) {
    if (i >= kFewestRepeatedCalls && spent > kRepeatedCallsBudget) break;
    const CheckedCalls::End end = calls_->Make();
    if (!GoOnAfter(end)) return false;
    const TimedCall& call = std::get<TimedCall>(end);
    spent += call.elapsed;
    calls_->GiveBack({call});
  }
  return ConcludeCheck();
}

bool JobEvaluation::ConcludeCheck() {
  evaluator_->Conclude();
  return evaluator_->passed() ||
         EndWith(Verdict{v1::INCORRECT_NUMERICAL, evaluator_->failure()});
}

Measurement::End JobEvaluation::MeasureOnce() {
  const v1::BuildSpec& spec = lease_.solution().spec();
  const TimingLimits limits =
      LimitsFor(tools_.device, sizes_, !spec.destination_passing_style());
  measurement_.emplace(tools_.device, settings_, limits, *draws_, *calls_,
                       stages_);
  Measurement::End end = measurement_->Run();
  if (!IsWell(end)) return end;
  if (tools_.device.description().kind() == "cuda") {
    DeviceAudit audit(*draws_, *calls_, stages_, limits.allowance.fixed);
    return audit.Run(*measurement_);
  }
  return MeasureBatches(limits.allowance);
}

Measurement::End JobEvaluation::MeasureBatches(
    const OutsideAllowance& allowance) {
  // What counts on a GPU is a part of a call that only the process sees. And
  // an answer that is stored once would serve all calls of a batch.
  if (tools_.device.description().timer() != v1::HOST_CLOCK ||
      memory_->is_varied()) {
    return {};
  }
  BatchMeasurement batches({tools_.device, sizes_, job_.workload(), *memory_,
                            settings_, FreshKey(), *draws_, baseline_,
                            solution_, *evaluator_, stages_});
  return batches.Run(measurement_->samples(), allowance);
}

bool JobEvaluation::IsWorthAnother(const Measurement::End& end) {
  if (const auto* stop = std::get_if<VariedStop>(&end)) {
    draws_->StopVarying();
    AddFinding({kStoredAnswers, stop->why}, v1::Finding::HOLD);
    return true;
  }
  // A process that happens to wake up slowly does so for as long as it lives;
  // one that forges times is followed by another that does.
  const auto* broken = std::get_if<BrokenRule>(&end);
  if (broken == nullptr || (broken->rule != kTimeUnaccounted &&
                            broken->rule != kDeviceTimeUnaccounted)) {
    return false;
  }
  return !std::exchange(measured_anew_, true);
}

bool JobEvaluation::LoadAnew() {
  calls_->GiveBack(measurement_->samples().calls);
  absl::StrAppend(&printed_, solution_.TakeLog());
  solution_.End();
  return MakeReadyAgain() && LoadSolution() && CheckOnce();
}

// What varied calls and batches may have left: an unwell device, damaged
// guards, no reference's process or one with other memory, other inputs.
bool JobEvaluation::MakeReadyAgain() {
  absl::Status status = tools_.device.Probe();
  if (status.ok()) status = calls_->PoisonGuards();
  if (!status.ok()) return EndWith(status);
  std::optional<JobFault> fault = PrepareBaseline();
  if (!fault) fault = draws_->Draw();
  return !fault || EndWith(*std::move(fault));
}

bool JobEvaluation::Measure() {
  Measurement::End end = MeasureOnce();
  while (IsWorthAnother(end)) {
    if (!LoadAnew()) return false;
    end = MeasureOnce();
  }
  if (auto* fault = std::get_if<JobFault>(&end)) {
    return EndWithBaselineFault(std::move(*fault));
  }
  return GoOnAfter(end);
}

void JobEvaluation::Pass() {
  for (const BrokenRule& suspicion : measurement_->Suspicions()) {
    AddFinding(suspicion, v1::Finding::HOLD);
  }
  v1::Evaluation evaluation = Report({v1::PASSED, ""});
  *evaluation.mutable_correctness() = evaluator_->correctness();
  *evaluation.mutable_performance() =
      PerformanceOf(*measurement_, tools_.device.description().timer(),
                    reference_latency_ms_);
  result_ = std::move(evaluation);
}

bool JobEvaluation::EndWith(const Verdict& verdict) {
  runner_failed_ = verdict.runner_failed;
  v1::Evaluation evaluation = Report(verdict);
  if (verdict.status == v1::INCORRECT_NUMERICAL) {
    *evaluation.mutable_correctness() = evaluator_->correctness();
  }
  result_ = std::move(evaluation);
  return false;
}

bool JobEvaluation::EndWith(JobFault fault) {
  result_ = std::move(fault);
  return false;
}

bool JobEvaluation::EndWith(const absl::Status& status) {
  // No worker could do what is asked for.
  if (absl::IsInvalidArgument(status)) {
    return EndWith(FinalFault(kWorkloadInvalid, std::string(status.message())));
  }
  return EndWith(WorkerFault(status));
}

bool JobEvaluation::EndWith(const BrokenRule& broken) {
  AddFinding(broken, v1::Finding::FAIL);
  return EndWith(Verdict{v1::RUNTIME_ERROR, broken.evidence});
}

void JobEvaluation::AddFinding(const BrokenRule& broken,
                               v1::Finding::Effect effect) {
  v1::Finding& finding = findings_.emplace_back();
  finding.set_rule(broken.rule);
  finding.set_evidence(broken.evidence);
  finding.set_effect(effect);
}

void JobEvaluation::AddPauses() {
  std::optional<v1::Finding> pauses = JudgePauses(solution_.TakePauses());
  const bool is_told = std::any_of(findings_.begin(), findings_.end(),
                                   [](const v1::Finding& finding) {
                                     return finding.rule() == kRanBetweenCalls;
                                   });
  if (pauses.has_value() && !is_told) findings_.push_back(*std::move(pauses));
}

void JobEvaluation::CleanUp() {
  const auto* evaluation = std::get_if<v1::Evaluation>(&result_);
  const bool is_abnormal =
      evaluation == nullptr || IsAbnormal(evaluation->status());
  if (is_abnormal) solution_.End();
  // Else the next job's memory would come on top of this one's.
  solution_.ReleaseMemory();
  baseline_.ReleaseMemory();
  if (!is_abnormal) return;
  const absl::Status probed = tools_.device.Probe();
  // What a device that is unwell says of a solution counts for nothing.
  if (!probed.ok()) EndWith(probed);
}

v1::Evaluation JobEvaluation::Report(const Verdict& verdict) {
  stages_.Stop();
  v1::Evaluation evaluation =
      NewEvaluation(tools_, settings_, stages_, verdict,
                    absl::StrCat(printed_, solution_.TakeLog()));
  AddPauses();
  for (v1::Finding& finding : findings_) {
    *evaluation.add_findings() = std::move(finding);
  }
  evaluation.set_seed(KeyHex(input_key_));
  return evaluation;
}

}  // namespace assay
