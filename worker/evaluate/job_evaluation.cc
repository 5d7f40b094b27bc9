#include "worker/evaluate/job_evaluation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/random_id.h"
#include "base/sha256.h"
#include "worker/evaluate/case_inputs.h"
#include "worker/evaluate/evaluation_report.h"
#include "worker/evaluate/statistics.h"

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

// Randomness of the kernel for std::shuffle: who sees some draws cannot tell
// the next ones.
struct KernelRandom {
  using result_type = uint32_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return UINT32_MAX; }
  result_type operator()() const { return RandomBits128()[0]; }
};

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
      pattern_key_(FreshKey()),
      run_time_left_(settings.run_timeout) {}

JobResult JobEvaluation::Run() {
  if (Prepare() && MakeInputs() && RunBaseline() && LoadSolution() &&
      CheckOnce() && Measure() && VerifyMemory()) {
    Pass();
  }
  // Else the next job's memory would come on top of this one's.
  solution_.ReleaseMemory();
  baseline_.ReleaseMemory();
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
  absl::StatusOr<CaseMemory> memory =
      CaseMemory::Allocate(tools_.device, sizes_, job_.workload(), *plan);
  if (!memory.ok()) {
    JobFault fault =
        FinalFault(kOutOfMemory, std::string(memory.status().message()));
    fault.retryable = true;
    return EndWith(std::move(fault));
  }
  memory_.emplace(*std::move(memory));
  for (const Region& guard : memory_->guards()) {
    const absl::Status status =
        tools_.device.Poison(guard, pattern_key_, next_pattern_++);
    if (!status.ok()) return EndWith(status);
  }
  return true;
}

bool JobEvaluation::MakeInputs() {
  const absl::Status status = UploadFixedInputs(
      tools_.device, sizes_, job_.workload(), tools_.blobs, *memory_);
  if (absl::IsInvalidArgument(status)) {
    return EndWith(FinalFault(kWorkloadInvalid, std::string(status.message())));
  }
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
  if (std::optional<JobFault> fault =
          baseline_.Prepare(lease_.definition(), lease_.definition_digest(),
                            *memory_, settings_)) {
    return EndWith(*std::move(fault));
  }
  return DrawInputs() && TimeReference();
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
  if (std::optional<JobFault> fault = baseline_.Compute(*memory_, settings_)) {
    return EndWith(*std::move(fault));
  }
  return true;
}

std::string JobEvaluation::LatencyKey() const {
  const v1::Device& device = tools_.device.description();
  FieldDigest digest("assay.reference_latency.v1");
  digest.Text(lease_.definition_digest())
      .Text(job_.workload_digest())
      .Text(device.model())
      .Text(device.uuid())
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
  std::variant<double, JobFault> timed =
      baseline_.Time(*memory_, settings_, tools_.device.flush_bytes());
  if (JobFault* fault = std::get_if<JobFault>(&timed)) {
    return EndWith(std::move(*fault));
  }
  reference_latency_ms_ = std::get<double>(timed);
  tools_.reference_latencies.Store(key, reference_latency_ms_);
  return true;
}

bool JobEvaluation::LoadSolution() {
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
  return CallSolution(memory_->draws(), nullptr);
}

bool JobEvaluation::Measure() {
  for (int trial = 0; trial < settings_.num_trials; ++trial) {
    // The first trial times what was just checked; the others find new inputs.
    if (trial > 0 && !(InputsUnchanged() && DrawInputs())) return false;
    stages_.Enter(v1::MEASURE);
    if (!CallSolution(settings_.warmup_runs, nullptr) ||
        !CallSolution(settings_.iterations, &samples_ns_)) {
      return false;
    }
  }
  return true;
}

bool JobEvaluation::VerifyMemory() { return InputsUnchanged(); }

std::vector<int> JobEvaluation::ShuffledDraws(int count) {
  std::vector<int> draws(count);
  for (int i = 0; i < count; ++i) draws[i] = i % memory_->draws();
  std::shuffle(draws.begin(), draws.end(), KernelRandom());
  return draws;
}

bool JobEvaluation::CallSolution(int count, std::vector<int64_t>* samples_ns) {
  const std::vector<int> draws = ShuffledDraws(count);
  for (size_t begin = 0; begin < draws.size();) {
    const size_t end =
        std::min(draws.size(), begin + static_cast<size_t>(memory_->slots()));
    if (!CallBatch({draws.begin() + begin, draws.begin() + end}, samples_ns)) {
      return false;
    }
    begin = end;
  }
  return true;
}

bool JobEvaluation::CallBatch(const std::vector<int>& draws,
                              std::vector<int64_t>* samples_ns) {
  Device& device = tools_.device;
  worker::Run run;
  run.set_flush_bytes(device.flush_bytes());
  for (size_t i = 0; i < draws.size(); ++i) {
    const int slot = static_cast<int>(i);
    for (size_t output = 0; output < sizes_.outputs.size(); ++output) {
      const absl::Status status =
          device.Poison(memory_->Output(slot, static_cast<int>(output)),
                        pattern_key_, next_pattern_++);
      if (!status.ok()) return EndWith(status);
    }
    worker::Run::Call& call = *run.add_calls();
    call.set_draw(draws[i]);
    call.set_slot(slot);
  }
  const absl::StatusOr<RunnerOutcome> outcome =
      solution_.Run(run, run_time_left_);
  if (!outcome.ok()) return EndWith(outcome.status());
  if (outcome->kind != RunnerOutcome::kOk) {
    return EndWith(
        JudgeOutcome(*outcome, "running the solution", settings_.run_timeout));
  }
  run_time_left_ -= outcome->elapsed;
  absl::Duration claimed;
  for (const int64_t call_ns : outcome->ran.call_ns()) {
    claimed += absl::Nanoseconds(call_ns);
  }
  if (claimed > outcome->elapsed) {
    return EndWithFinding("impossible_times",
                          absl::StrCat("the runner claims calls of ",
                                       absl::FormatDuration(claimed),
                                       " in all, and had no more than ",
                                       absl::FormatDuration(outcome->elapsed)));
  }
  for (size_t i = 0; i < draws.size(); ++i) {
    const absl::Status status =
        check_->Add(device, *memory_, draws[i], static_cast<int>(i));
    if (!status.ok()) return EndWith(status);
  }
  if (!check_->passed()) {
    return EndWith(Verdict{v1::INCORRECT_NUMERICAL, check_->failure()});
  }
  if (samples_ns != nullptr) {
    samples_ns->insert(samples_ns->end(), outcome->ran.call_ns().begin(),
                       outcome->ran.call_ns().end());
  }
  return CheckGuards();
}

bool JobEvaluation::CheckGuards() {
  uint32_t pattern = 0;
  for (const Region& guard : memory_->guards()) {
    const absl::StatusOr<bool> intact =
        tools_.device.IsPoisoned(guard, pattern_key_, pattern++);
    if (!intact.ok()) return EndWith(intact.status());
    if (!*intact) {
      return EndWithFinding("out_of_bounds_write",
                            "memory next to an output tensor was overwritten: "
                            "the solution writes outside of its outputs");
    }
  }
  return true;
}

bool JobEvaluation::InputsUnchanged() {
  const absl::StatusOr<uint64_t> checksum =
      tools_.device.Checksum(memory_->AllInputs(), pattern_key_);
  if (!checksum.ok()) return EndWith(checksum.status());
  if (*checksum == input_checksum_) return true;
  return EndWithFinding("input_modified",
                        "the solution changed its input tensors");
}

void JobEvaluation::Pass() {
  v1::Evaluation evaluation = Report({v1::PASSED, ""});
  *evaluation.mutable_correctness() = check_->correctness();
  v1::Performance& performance = *evaluation.mutable_performance();
  const LatencySummary summary = Summarize(samples_ns_);
  performance.set_latency_ms(summary.median);
  performance.set_latency_p10_ms(summary.p10);
  performance.set_latency_p90_ms(summary.p90);
  performance.set_num_samples(static_cast<int32_t>(samples_ns_.size()));
  performance.set_timer(tools_.device.timer());
  performance.set_reference_latency_ms(reference_latency_ms_);
  if (summary.median > 0) {
    performance.set_speedup_factor(reference_latency_ms_ / summary.median);
  }
  for (size_t i = 0; i < std::min(samples_ns_.size(), kMaxSamplesKept); ++i) {
    performance.add_samples_ms(static_cast<double>(samples_ns_[i]) / 1e6);
  }
  result_ = std::move(evaluation);
}

bool JobEvaluation::EndWith(const Verdict& verdict) {
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

bool JobEvaluation::EndWithFinding(absl::string_view rule,
                                   const std::string& evidence) {
  v1::Finding& finding = findings_.emplace_back();
  finding.set_rule(std::string(rule));
  finding.set_evidence(evidence);
  finding.set_effect(v1::Finding::FAIL);
  return EndWith(Verdict{v1::RUNTIME_ERROR, evidence});
}

v1::Evaluation JobEvaluation::Report(const Verdict& verdict) {
  stages_.Stop();
  v1::Evaluation evaluation =
      NewEvaluation(tools_, settings_, stages_, verdict, solution_.TakeLog());
  for (v1::Finding& finding : findings_) {
    *evaluation.add_findings() = std::move(finding);
  }
  evaluation.set_seed(KeyHex(input_key_));
  return evaluation;
}

}  // namespace assay
