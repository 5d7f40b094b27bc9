#include "worker/evaluate/solution_process.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "schema/binding.h"
#include "worker/evaluate/source_bundle.h"

namespace assay {
namespace {

constexpr absl::Duration kReleaseTimeout = absl::Seconds(5);

absl::StatusOr<SharedBytes> OpenLibrary(const std::string& path) {
  SharedBytes library;
  library.fd = UniqueFd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info;
  if (!library.fd.valid() || fstat(library.fd.get(), &info) != 0) {
    return PosixError(absl::StrCat("opening ", path));
  }
  library.size_bytes = info.st_size;
  return library;
}

worker::Load::Kind LibraryKind(const v1::BuildSpec& spec) {
  switch (EffectiveBinding(spec)) {
    case v1::BuildSpec::C:
      return worker::Load::NATIVE_C;
    case v1::BuildSpec::TORCH:
      return worker::Load::TORCH_EXTENSION;
    default:
      return worker::Load::NATIVE_TVM_FFI;
  }
}

}  // namespace

bool SolutionProcess::is_compiled() const {
  return solution_.spec().language() == v1::BuildSpec::CPP ||
         solution_.spec().language() == v1::BuildSpec::CUDA;
}

bool SolutionProcess::is_python() const {
  return !is_compiled() ||
         EffectiveBinding(solution_.spec()) == v1::BuildSpec::TORCH;
}

absl::StatusOr<std::optional<Verdict>> SolutionProcess::Build(
    absl::Duration timeout, const std::function<bool()>& is_off) {
  if (!is_compiled()) return std::nullopt;
  ASSAY_ASSIGN_OR_RETURN(
      BuildResult result,
      tools_.builder.Build(definition_, solution_, timeout, is_off));
  switch (result.outcome) {
    case BuildResult::kBuilt:
      library_path_ = result.library_path;
      return std::nullopt;
    case BuildResult::kCompileError:
      return Verdict{v1::COMPILE_ERROR, std::move(result.log)};
    case BuildResult::kTimeout:
      return Verdict{v1::TIMEOUT, absl::StrCat("the build did not end within ",
                                               absl::FormatDuration(timeout),
                                               "\n", result.log)};
  }
  return absl::InternalError("the build has no outcome");
}

absl::StatusOr<worker::Load> SolutionProcess::LoadRequest(
    UniqueFd& content) const {
  const std::pair<std::string, std::string> entry =
      absl::StrSplit(solution_.spec().entry_point(), absl::MaxSplits("::", 1));
  worker::Load load;
  load.set_entry_file(entry.first);
  load.set_symbol(entry.second);
  load.set_destination_passing(solution_.spec().destination_passing_style());
  *load.mutable_inputs() = definition_.inputs();
  *load.mutable_outputs() = definition_.outputs();
  SharedBytes bytes;
  if (is_compiled()) {
    load.set_kind(LibraryKind(solution_.spec()));
    ASSAY_ASSIGN_OR_RETURN(bytes, OpenLibrary(library_path_));
  } else {
    load.set_kind(worker::Load::PYTHON);
    worker::SourceBundle bundle;
    *bundle.mutable_files() = solution_.sources();
    ASSAY_ASSIGN_OR_RETURN(bytes, ShareBundle(bundle));
  }
  load.set_content_bytes(bytes.size_bytes);
  content = std::move(bytes.fd);
  return load;
}

absl::Status SolutionProcess::Start(absl::Duration timeout) {
  if (is_alive()) return absl::OkStatus();
  End();
  ASSAY_ASSIGN_OR_RETURN(
      std::unique_ptr<RunnerSession> started,
      is_python() ? tools_.solution_zygote.Fork()
                  : StartNativeRunner(tools_.launcher, tools_.sandbox,
                                      tools_.native_runner));
  SetSession(std::move(started));
  const auto set_up = tools_.device.runner_set_up();
  if (!set_up.has_value()) return absl::OkStatus();
  absl::Status status = session()->SetUp(*set_up, timeout);
  if (!status.ok()) End();
  return status;
}

absl::StatusOr<std::optional<Verdict>> SolutionProcess::Load(
    absl::Duration timeout) {
  if (is_loaded()) return std::nullopt;
  ASSAY_RETURN_IF_ERROR(Start(timeout));
  UniqueFd content;
  ASSAY_ASSIGN_OR_RETURN(const worker::Load load, LoadRequest(content));
  ASSAY_ASSIGN_OR_RETURN(const RunnerOutcome outcome,
                         session()->Load(load, content.get(), timeout));
  if (outcome.kind == RunnerOutcome::kOk) {
    is_loaded_ = true;
    return std::nullopt;
  }
  // What failed to load half-way is of no use to the next job.
  session()->Kill();
  return JudgeOutcome(outcome, "loading the solution", timeout);
}

absl::StatusOr<RunnerOutcome> SolutionProcess::Bind(const CaseMemory& memory,
                                                    absl::Duration timeout) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<UniqueFd> fds,
                         memory.ShareForSolution());
  worker::Bind bind = memory.solution_bind();
  bind.mutable_cpus()->Add(tools_.measuring_cpus.begin(),
                           tools_.measuring_cpus.end());
  return session()->Bind(bind, {fds[0].get(), fds[1].get()}, timeout);
}

absl::StatusOr<RunnerOutcome> SolutionProcess::Run(const worker::Run& run,
                                                   absl::Duration timeout) {
  return session()->Run(run, timeout);
}

bool SolutionProcess::is_alive() {
  const std::shared_ptr<RunnerSession> current = session();
  return current != nullptr && current->alive();
}

void SolutionProcess::ReleaseMemory() {
  if (!is_alive()) return;
  // A failure ends the session, which is all that matters.
  session()->Bind(worker::Bind(), {}, kReleaseTimeout).status().IgnoreError();
}

std::string SolutionProcess::TakeLog() {
  const std::shared_ptr<RunnerSession> current = session();
  if (current == nullptr) return "";
  // A process that is over has said its last when it is gone.
  return current->alive() ? current->DrainLog() : current->TakeLog();
}

PauseRecord SolutionProcess::TakePauses() {
  PauseRecord record = std::exchange(pauses_, {});
  const std::shared_ptr<RunnerSession> current = session();
  if (current == nullptr) return record;
  const PauseRecord more = current->TakePauses();
  record.pauses += more.pauses;
  record.broken += more.broken;
  record.cpu_time += more.cpu_time;
  record.cpu_time_of_others += more.cpu_time_of_others;
  return record;
}

void SolutionProcess::End() {
  is_loaded_ = false;
  pauses_ = TakePauses();
  SetSession(nullptr);
}

void SolutionProcess::Abort() {
  const std::shared_ptr<RunnerSession> current = session();
  if (current != nullptr) current->Kill();
}

std::shared_ptr<RunnerSession> SolutionProcess::session() {
  absl::MutexLock lock(&mutex_);
  return session_;
}

void SolutionProcess::SetSession(std::shared_ptr<RunnerSession> session) {
  absl::MutexLock lock(&mutex_);
  session_.swap(session);
}

}  // namespace assay
