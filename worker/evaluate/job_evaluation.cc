#include "worker/evaluate/job_evaluation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/random_id.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "worker/device/device_state.h"
#include "worker/evaluate/case_inputs.h"
#include "worker/evaluate/evaluation_report.h"
#include "worker/evaluate/memory_return.h"
#include "worker/evaluate/statistics.h"
#include "worker/evaluate/steadiness.h"

namespace assay {
namespace {

// More samples than this are summarised but not kept.
constexpr size_t kMaxSamplesKept = 10'000;

measure::Key FreshKey() {
  const std::array<uint32_t, 4> bits = RandomBits128();
  return {{bits[0], bits[1], bits[2], bits[3]}};
}

std::string KeyHex(const measure::Key& key) {
  return absl::StrFormat("%08x%08x%08x%08x", key.words[0], key.words[1],
                         key.words[2], key.words[3]);
}

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
      CheckOnce() && Measure() && VerifyMemory()) {
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
  check_.emplace(sizes_, settings_);
  const absl::StatusOr<CasePlan> plan =
      PlanCase(sizes_, job_.workload(), settings_.iterations,
               tools_.device.description().memory_bytes());
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
                 *check_, solution_);
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
  return DrawInputs() && TimeReference();
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
  stages_.Enter(v1::INPUTS);
  for (int draw = 0; draw < memory_->draws(); ++draw) {
    const absl::Status status = DrawRandomInputs(
        tools_.device, lease_.definition(), sizes_, job_.workload(), input_key_,
        draws_made_++, draw, *memory_);
    if (!status.ok()) return EndWith(status);
  }
  const absl::StatusOr<uint64_t> checksum =
      tools_.device.Checksum(memory_->AllInputs(), pattern_key_);
  if (!checksum.ok()) return EndWith(checksum.status());
  input_checksum_ = *checksum;
  stages_.Enter(v1::BASELINE);
  std::optional<JobFault> fault = baseline_.Compute(*memory_, settings_);
  if (!fault) return true;
  const bool is_first = draws_made_ == memory_->draws();
  if (!is_first) return EndWithBaselineFault(*std::move(fault));
  if (!MayFreeMemory(*fault)) return EndWith(*std::move(fault));
  // The solution has not run in this job, and starts anew.
  FreeMemory();
  fault = PrepareBaseline();
  if (!fault) fault = baseline_.Compute(*memory_, settings_);
  return !fault || EndWith(*std::move(fault));
}

bool JobEvaluation::EndWithBaselineFault(JobFault fault) {
  if (!solution_.is_loaded() || fault.failure.reason() != kReferenceFailed) {
    return EndWith(std::move(fault));
  }
  printed_ = solution_.TakeLog();
  solution_.End();
  if (PrepareBaseline() || baseline_.Compute(*memory_, settings_)) {
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

std::string JobEvaluation::LatencyKey() const {
  const v1::Device& device = tools_.device.description();
  FieldDigest digest("assay.reference_latency.v1");
  digest.Text(lease_.definition_digest())
      .Text(job_.workload_digest())
      .Text(device.model())
      .Text(device.uuid())
      .Text(v1::Timer_Name(device.timer()))
      .Int(settings_.warmup_runs)
      .Int(settings_.iterations)
      .Int(settings_.num_trials);
  const std::map<std::string, std::string> libs(device.libs().begin(),
                                                device.libs().end());
  for (const auto& [name, version] : libs) digest.Text(name).Text(version);
  return digest.Hex();
}

bool JobEvaluation::TimeReference() {
  if (!settings_.time_reference) return true;
  const std::string key = LatencyKey();
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

bool JobEvaluation::CheckOnce() {
  stages_.Enter(v1::CHECK);
  return Continue(calls_->Make(memory_->draws(), nullptr));
}

bool JobEvaluation::Measure() {
  for (int trial = 0; trial < settings_.num_trials; ++trial) {
    // The first trial times what was just checked; the others find new inputs.
    if (trial > 0 && !(InputsUnchanged() && DrawInputs())) return false;
    stages_.Enter(v1::MEASURE);
    if (!MakeTrial()) return false;
  }
  return true;
}

bool JobEvaluation::MakeTrial() {
  CallTimes times;
  while (true) {
    times = {};
    if (!Continue(calls_->Make(settings_.warmup_runs, nullptr)) ||
        !Continue(calls_->Make(settings_.iterations, &times))) {
      return false;
    }
    // Of a CPU, which everybody shares, nothing steady is expected.
    if (tools_.device.description().kind() != "cuda" ||
        IsSteady(times.call_ns, times.device_state)) {
      break;
    }
    if (repeats_ == kMaxRepeats) {
      is_unstable_ = true;
      break;
    }
    ++repeats_;
    calls_->Discard(times);
  }
  samples_.call_ns.insert(samples_.call_ns.end(), times.call_ns.begin(),
                          times.call_ns.end());
  samples_.host_ns.insert(samples_.host_ns.end(), times.host_ns.begin(),
                          times.host_ns.end());
  AddReading(times.device_state, samples_.device_state);
  return true;
}

bool JobEvaluation::VerifyMemory() { return InputsUnchanged(); }

bool JobEvaluation::InputsUnchanged() {
  const absl::StatusOr<uint64_t> checksum =
      tools_.device.Checksum(memory_->AllInputs(), pattern_key_);
  if (!checksum.ok()) return EndWith(checksum.status());
  if (*checksum == input_checksum_) return true;
  return EndWith(
      BrokenRule{"input_modified", "the solution changed its input tensors"});
}

void JobEvaluation::Pass() {
  v1::Evaluation evaluation = Report({v1::PASSED, ""});
  *evaluation.mutable_correctness() = check_->correctness();
  v1::Performance& performance = *evaluation.mutable_performance();
  const std::vector<int64_t>& samples_ns = samples_.call_ns;
  const LatencySummary summary = Summarize(samples_ns);
  performance.set_latency_ms(summary.median);
  performance.set_latency_p10_ms(summary.p10);
  performance.set_latency_p90_ms(summary.p90);
  performance.set_num_samples(static_cast<int32_t>(samples_ns.size()));
  performance.set_timer(tools_.device.description().timer());
  performance.set_reference_latency_ms(reference_latency_ms_);
  if (summary.median > 0) {
    performance.set_speedup_factor(reference_latency_ms_ / summary.median);
  }
  for (size_t i = 0; i < std::min(samples_ns.size(), kMaxSamplesKept); ++i) {
    performance.add_samples_ms(static_cast<double>(samples_ns[i]) / 1e6);
  }
  performance.set_host_latency_ms(Summarize(samples_.host_ns).median);
  performance.set_unstable(is_unstable_);
  performance.set_repeats(repeats_);
  if (samples_.device_state.max_sm_clock_mhz() > 0) {
    *performance.mutable_device_state() = samples_.device_state;
  }
  result_ = std::move(evaluation);
}

bool JobEvaluation::Continue(const CheckedCalls::End& end) {
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

bool JobEvaluation::EndWith(const Verdict& verdict) {
  runner_failed_ = verdict.runner_failed;
  v1::Evaluation evaluation = Report(verdict);
  if (verdict.status == v1::INCORRECT_NUMERICAL) {
    *evaluation.mutable_correctness() = check_->correctness();
  }
  result_ = std::move(evaluation);
  return false;
}

bool JobEvaluation::EndWith(JobFault fault) {
  result_ = std::move(fault);
  return false;
}

bool JobEvaluation::EndWith(const absl::Status& status) {
  return EndWith(WorkerFault(status));
}

bool JobEvaluation::EndWith(const BrokenRule& broken) {
  v1::Finding& finding = findings_.emplace_back();
  finding.set_rule(broken.rule);
  finding.set_evidence(broken.evidence);
  finding.set_effect(v1::Finding::FAIL);
  return EndWith(Verdict{v1::RUNTIME_ERROR, broken.evidence});
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
  for (v1::Finding& finding : findings_) {
    *evaluation.add_findings() = std::move(finding);
  }
  evaluation.set_seed(KeyHex(input_key_));
  return evaluation;
}

}  // namespace assay
