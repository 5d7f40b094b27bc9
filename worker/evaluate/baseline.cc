#include "worker/evaluate/baseline.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "worker/device/device_state.h"
#include "worker/evaluate/case_inputs.h"
#include "worker/evaluate/source_bundle.h"
#include "worker/evaluate/statistics.h"
#include "worker/evaluate/verdict.h"

namespace assay {
namespace {

constexpr char kReferenceFile[] = "reference.py";

constexpr absl::Duration kReleaseTimeout = absl::Seconds(5);
// Timing a slow reference must not keep its workload from being evaluated; more
// samples of one that takes long tell nothing new.
constexpr absl::Duration kTimingBudget = absl::Seconds(1);
constexpr size_t kFewestTimes = 3;
constexpr size_t kCallsPerReading = 16;

worker::Load LoadRequest(const v1::Definition& definition) {
  worker::Load load;
  load.set_kind(worker::Load::PYTHON);
  load.set_entry_file(kReferenceFile);
  load.set_symbol("run");
  load.set_destination_passing(false);
  *load.mutable_inputs() = definition.inputs();
  *load.mutable_outputs() = definition.outputs();
  return load;
}

worker::Run OneCall(int draw) {
  worker::Run run;
  run.add_calls()->set_draw(draw);
  run.mutable_calls(0)->set_slot(CaseMemory::kExpectedSlot);
  return run;
}

}  // namespace

std::optional<JobFault> Baseline::Start(const v1::Definition& definition,
                                        const std::string& definition_digest,
                                        const EvaluationSettings& settings) {
  if (is_alive() && loaded_digest_ == definition_digest) return std::nullopt;
  loaded_digest_.clear();
  if (std::optional<JobFault> fault = Load(definition, settings.load_timeout)) {
    return fault;
  }
  loaded_digest_ = definition_digest;
  return std::nullopt;
}

std::optional<JobFault> Baseline::Bind(const CaseMemory& memory,
                                       const EvaluationSettings& settings) {
  absl::StatusOr<std::vector<UniqueFd>> fds = memory.ShareForBaseline();
  if (!fds.ok()) return WorkerFault(fds.status());
  worker::Bind bind = memory.baseline_bind();
  bind.mutable_cpus()->Add(cpus_.begin(), cpus_.end());
  const absl::StatusOr<RunnerOutcome> outcome =
      session()->Bind(bind, {(*fds)[0].get(), (*fds)[1].get(), (*fds)[2].get()},
                      settings.load_timeout);
  if (!outcome.ok()) return WorkerFault(outcome.status());
  if (outcome->kind == RunnerOutcome::kOk) return std::nullopt;
  return FaultOf(*outcome, "binding memory", settings.load_timeout);
}

std::optional<JobFault> Baseline::Load(const v1::Definition& definition,
                                       absl::Duration timeout) {
  SetSession(nullptr);
  definition_name_ = definition.name();
  worker::SourceBundle bundle;
  v1::SourceFile& file = *bundle.add_files();
  file.set_path(kReferenceFile);
  file.set_content(definition.reference());
  absl::StatusOr<SharedBytes> shared = ShareBundle(bundle);
  if (!shared.ok()) return WorkerFault(shared.status());
  absl::StatusOr<std::unique_ptr<RunnerSession>> started = zygote_.Fork();
  if (!started.ok()) return WorkerFault(started.status());
  (*started)->TrustRunner();
  SetSession(*std::move(started));
  if (set_up_.has_value()) {
    const absl::Status status = session()->SetUp(*set_up_, timeout);
    if (!status.ok()) {
      SetSession(nullptr);
      return WorkerFault(status);
    }
  }
  worker::Load load = LoadRequest(definition);
  load.set_content_bytes(shared->size_bytes);
  const absl::StatusOr<RunnerOutcome> outcome =
      session()->Load(load, shared->fd.get(), timeout);
  if (!outcome.ok()) return WorkerFault(outcome.status());
  if (outcome->kind == RunnerOutcome::kOk) return std::nullopt;
  return FaultOf(*outcome, "loading it", timeout);
}

std::optional<JobFault> Baseline::Compute(const EvaluationSettings& settings) {
  std::variant<worker::Ran, JobFault> answer =
      Run(OneCall(CaseMemory::kOriginalDraw), settings.run_timeout);
  if (JobFault* fault = std::get_if<JobFault>(&answer)) return *fault;
  return std::nullopt;
}

std::optional<JobFault> Baseline::ComputeAll(
    const CaseMemory& memory, const EvaluationSettings& settings) {
  worker::Run run;
  for (int draw = 0; draw < memory.draws(); ++draw) {
    worker::Run::Call& call = *run.add_calls();
    call.set_draw(CaseMemory::BaselineDraw(draw));
    call.set_slot(CaseMemory::kExpectedSlot + draw);
  }
  std::variant<worker::Ran, JobFault> answer = Run(run, settings.run_timeout);
  if (JobFault* fault = std::get_if<JobFault>(&answer)) return *fault;
  return std::nullopt;
}

std::variant<TimedCall, JobFault> Baseline::Ping(
    const EvaluationSettings& settings, Device& device, Watching watching,
    absl::Duration spin) {
  absl::StatusOr<std::unique_ptr<DeviceWatch>> watch = nullptr;
  if (watching == Watching::kYes) watch = device.Watch();
  if (!watch.ok()) return WorkerFault(watch.status());
  const absl::StatusOr<RunnerOutcome> outcome =
      session()->Ping(device.flush_bytes(), settings.load_timeout, spin);
  if (!outcome.ok()) return WorkerFault(outcome.status());
  if (outcome->kind != RunnerOutcome::kOk) {
    return FaultOf(*outcome, "a call that does nothing", settings.load_timeout);
  }
  absl::StatusOr<std::vector<absl::Duration>> turns =
      std::vector<absl::Duration>();
  if (*watch != nullptr) turns = (*watch)->Finish();
  if (!turns.ok()) return WorkerFault(turns.status());
  const absl::StatusOr<absl::Duration> idle = device.TimeToIdle();
  if (!idle.ok()) return WorkerFault(idle.status());
  TimedCall ping;
  ping.call_ns = outcome->ran.call_ns(0);
  ping.host_ns = outcome->ran.host_ns(0);
  ping.elapsed = outcome->elapsed;
  ping.time_to_idle = *idle;
  ping.turns = *std::move(turns);
  return ping;
}

std::variant<ReferenceTime, JobFault> Baseline::Time(
    const CaseMemory& memory, const EvaluationSettings& settings,
    Device& device) {
  const size_t wanted =
      settings.warmup_runs +
      static_cast<size_t>(settings.iterations) * settings.num_trials;
  worker::Run run = OneCall(CaseMemory::kPlacedDraw);
  run.set_flush_bytes(device.flush_bytes());
  std::vector<int64_t> times;
  absl::Duration spent;
  v1::DeviceState state;
  while (times.size() < wanted &&
         (spent < kTimingBudget || times.size() < kFewestTimes)) {
    const absl::Status delivered = DeliverInputs(device, memory, 0);
    if (!delivered.ok()) return WorkerFault(delivered);
    std::variant<worker::Ran, JobFault> answer = Run(run, settings.run_timeout);
    if (JobFault* fault = std::get_if<JobFault>(&answer)) return *fault;
    if (times.size() % kCallsPerReading == 0) {
      if (const auto reading = device.ReadState()) AddReading(*reading, state);
    }
    const worker::Ran& ran = std::get<worker::Ran>(answer);
    times.push_back(ran.call_ns(0));
    spent += absl::Nanoseconds(ran.host_ns(0));
  }
  const auto warm_ups = static_cast<ptrdiff_t>(
      std::min<size_t>(settings.warmup_runs,
                       times.size() - std::min(times.size(), kFewestTimes)));
  const std::vector<int64_t> samples(times.begin() + warm_ups, times.end());
  ReferenceTime time;
  time.median_ms = Summarize(samples).median;
  time.is_slowed_down = IsSlowedDown(state);
  return time;
}

std::variant<worker::Ran, JobFault> Baseline::Run(const worker::Run& run,
                                                  absl::Duration timeout) {
  absl::StatusOr<RunnerOutcome> outcome = session()->Run(run, timeout);
  if (!outcome.ok()) return WorkerFault(outcome.status());
  if (outcome->kind == RunnerOutcome::kOk) return std::move(outcome->ran);
  return FaultOf(*outcome, "running it", timeout);
}

JobFault Baseline::FaultOf(const RunnerOutcome& outcome, absl::string_view what,
                           absl::Duration timeout) {
  const std::string log = session()->TakeLog();
  SetSession(nullptr);
  JobFault fault = FinalFault(
      kReferenceFailed,
      absl::StrCat("the reference of definition \"", definition_name_,
                   "\" failed: ", JudgeOutcome(outcome, what, timeout).message,
                   log.empty() ? "" : "\n", log));
  // Killed, perhaps for want of memory: elsewhere it may go well.
  fault.retryable = outcome.kind == RunnerOutcome::kDied &&
                    absl::StrContains(outcome.detail, "signal 9 ");
  return fault;
}

bool Baseline::is_alive() {
  const std::shared_ptr<RunnerSession> current = session();
  return current != nullptr && current->alive();
}

void Baseline::ReleaseMemory() {
  if (!is_alive()) return;
  // A failure ends the session, which is all that matters.
  session()->Bind(worker::Bind(), {}, kReleaseTimeout).status().IgnoreError();
}

void Baseline::Abort() {
  const std::shared_ptr<RunnerSession> current = session();
  if (current != nullptr) current->Kill();
}

std::shared_ptr<RunnerSession> Baseline::session() {
  absl::MutexLock lock(&mutex_);
  return session_;
}

void Baseline::SetSession(std::shared_ptr<RunnerSession> session) {
  absl::MutexLock lock(&mutex_);
  session_.swap(session);
}

}  // namespace assay
