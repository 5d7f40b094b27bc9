#include "worker/runner/session.h"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random_id.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// How long a process may take to be gone after its socket is closed.
constexpr absl::Duration kEndTime = absl::Seconds(2);

constexpr size_t kMaxFailureBytes = 64 << 10;

// How long a runner may take to stop after an answer. A thread in a long call
// of a driver stops behind that, and a machine that is busy takes its time. Who
// takes longer has a thread where signals do not reach it, so that others could
// go on: nothing that it says counts.
constexpr absl::Duration kStopTime = absl::Seconds(5);

// What looks like an escape may be the kernel's doing: see
// StoppableProcess::Continue. Who gains by it does it for more than a few
// calls.
constexpr int kFewestEscapes = 3;
constexpr int kMostStopsPerEscape = 4;

// What a thread that the kernel had put off in the middle of stopping still
// takes is less, by far.
constexpr absl::Duration kStoppingTakes = absl::Milliseconds(1);

// So many are named; more tell people nothing new.
constexpr size_t kNamesShown = 8;

// Why `ran` cannot be the answer to a run of `calls` calls; empty when it can.
std::string FaultIn(const worker::Ran& ran, int calls) {
  for (const auto* times :
       {&ran.call_ns(), &ran.host_ns(), &ran.outside_ns()}) {
    const bool may_miss = times == &ran.outside_ns();
    if (times->size() != calls && !(may_miss && times->empty())) {
      return absl::StrCat("it reported ", times->size(), " times for ", calls,
                          " calls");
    }
    for (const int64_t ns : *times) {
      if (ns < 0) return absl::StrCat("it reported a time of ", ns, " ns");
    }
  }
  return "";
}

std::string FaultIn(const worker::Failed& failed, int calls) {
  if (!worker::Failed::Kind_IsValid(failed.kind()) ||
      failed.kind() == worker::Failed::KIND_UNSPECIFIED) {
    return absl::StrCat("it reported a failure of kind ", int{failed.kind()});
  }
  // Requests other than Run leave it at 0.
  if (failed.call() != 0 && (failed.call() < 0 || failed.call() >= calls)) {
    return absl::StrCat("it reported a failure in call ", failed.call(), " of ",
                        calls);
  }
  return "";
}

// Cuts the text to `bytes` at the end of a character.
void Shorten(std::string& text, size_t bytes) {
  if (text.size() <= bytes) return;
  while (bytes > 0 && (text[bytes] & 0xC0) == 0x80) --bytes;
  text.resize(bytes);
}

// Bytes of the arenas that are memory of the host; files of a GPU's driver
// cannot be sealed.
int64_t HostBytes(const worker::Bind& bind, const std::vector<int>& arena_fds) {
  int64_t bytes = 0;
  for (size_t i = 0; i < arena_fds.size(); ++i) {
    if (fcntl(arena_fds[i], F_GET_SEALS) < 0) continue;
    bytes += bind.arenas(static_cast<int>(i)).size_bytes();
  }
  return bytes;
}

// The reply that a request calls for.
worker::RunnerReply::ReplyCase WantedReply(
    const worker::RunnerRequest& request) {
  switch (request.request_case()) {
    case worker::RunnerRequest::kSetUp:
      return worker::RunnerReply::kSetUpDone;
    case worker::RunnerRequest::kLoad:
      return worker::RunnerReply::kLoaded;
    case worker::RunnerRequest::kBind:
      return worker::RunnerReply::kBound;
    default:
      return worker::RunnerReply::kRan;
  }
}

}  // namespace

RunnerSession::RunnerSession(SeqPacketSocket socket,
                             std::unique_ptr<RunnerProcess> process)
    : socket_(std::move(socket)), process_(std::move(process)) {}

RunnerSession::~RunnerSession() { Kill(); }

absl::StatusOr<std::unique_ptr<RunnerSession>> RunnerSession::Connect(
    SeqPacketSocket socket, std::unique_ptr<RunnerProcess> process,
    absl::Duration timeout) {
  std::unique_ptr<RunnerSession> session(
      new RunnerSession(std::move(socket), std::move(process)));
  const absl::StatusOr<Packet> packet = session->socket_.Receive(timeout);
  worker::RunnerReply reply;
  if (packet.ok() && reply.ParseFromString(packet->data) && reply.has_ready()) {
    session->Watch(packet->sender_pid);
    return session;
  }
  if (absl::IsDeadlineExceeded(packet.status())) {
    return absl::DeadlineExceededError(absl::StrCat(
        "a runner did not start within ", absl::FormatDuration(timeout)));
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string end,
                         session->process_->WaitAndDescribe(kEndTime));
  return absl::UnavailableError(absl::StrCat(
      "a runner did not start: ", end.empty() ? "it sent no greeting" : end,
      "; it printed \"", session->TakeLog(), "\""));
}

absl::Status RunnerSession::SetUp(const worker::SetUp& set_up,
                                  absl::Duration timeout) {
  worker::RunnerRequest request;
  *request.mutable_set_up() = set_up;
  ASSAY_ASSIGN_OR_RETURN(const RunnerOutcome outcome,
                         Ask(std::move(request), {}, timeout));
  constexpr absl::string_view kWhat = "a runner did not open the GPU: ";
  switch (outcome.kind) {
    case RunnerOutcome::kOk:
      return absl::OkStatus();
    case RunnerOutcome::kFailed:
      return absl::FailedPreconditionError(
          absl::StrCat(kWhat, outcome.failed.message()));
    case RunnerOutcome::kTimeout:
      return absl::DeadlineExceededError(absl::StrCat(kWhat, outcome.detail));
    case RunnerOutcome::kDied:
      break;
  }
  return absl::UnavailableError(
      absl::StrCat(kWhat, outcome.detail, "; it printed \"", TakeLog(), "\""));
}

absl::StatusOr<RunnerOutcome> RunnerSession::Load(const worker::Load& load,
                                                  int content_fd,
                                                  absl::Duration timeout) {
  worker::RunnerRequest request;
  *request.mutable_load() = load;
  return Ask(std::move(request), {content_fd}, timeout);
}

absl::StatusOr<RunnerOutcome> RunnerSession::Bind(
    const worker::Bind& bind, const std::vector<int>& arena_fds,
    absl::Duration timeout) {
  worker::RunnerRequest request;
  *request.mutable_bind() = bind;
  // It has the former until it has taken the new.
  const int64_t given = HostBytes(bind, arena_fds);
  process_->SetGivenMemory(given_bytes_ + given);
  absl::StatusOr<RunnerOutcome> outcome =
      Ask(std::move(request), arena_fds, timeout);
  process_->SetGivenMemory(given);
  given_bytes_ = given;
  return outcome;
}

absl::StatusOr<RunnerOutcome> RunnerSession::Run(const worker::Run& run,
                                                 absl::Duration timeout) {
  worker::RunnerRequest request;
  *request.mutable_run() = run;
  return Ask(std::move(request), {}, timeout);
}

absl::StatusOr<RunnerOutcome> RunnerSession::Ping(int64_t flush_bytes,
                                                  absl::Duration timeout,
                                                  absl::Duration spin) {
  worker::RunnerRequest request;
  request.mutable_ping()->set_flush_bytes(flush_bytes);
  request.mutable_ping()->set_spin_ns(absl::ToInt64Nanoseconds(spin));
  return Ask(std::move(request), {}, timeout);
}

void RunnerSession::Watch(pid_t greeter) {
  absl::StatusOr<std::unique_ptr<StoppableProcess>> runner =
      StoppableProcess::Open(greeter);
  absl::Status status = runner.status();
  // The one that greeted has been there all the time: the id is still its own.
  if (status.ok() && !HasHungUp()) {
    runner_ = *std::move(runner);
    const absl::StatusOr<ProcessCensus> census =
        ProcessCensus::Of(greeter, process_->HasOwnParent());
    status = census.status();
    if (status.ok()) census_ = *census;
  }
  static std::atomic<bool> told = false;
  if (status.ok() || told.exchange(true)) return;
  LogWarning("runners are not watched as they should be",
             {{"stopped_between_requests", runner_ != nullptr ? "yes" : "no"},
              {"processes_counted", census_.has_value() ? "yes" : "no"},
              {"why", status.message()}});
}

void RunnerSession::TrustRunner() {
  trusted_ = true;
  if (runner_ != nullptr) runner_->Continue();
}

std::string RunnerSession::Freeze() {
  if (!frozen_between_requests() || runner_->Stop(kStopTime)) return "";
  // It has ended, and who waits for its next answer learns how.
  if (HasHungUp()) return "";
  return absl::StrCat("it could not be stopped within ",
                      absl::FormatDuration(kStopTime),
                      " of its answer: ", runner_->Running());
}

bool RunnerSession::Thaw() {
  if (!frozen_between_requests()) return true;
  ++stops_;
  if (others_before_.has_value()) {
    // Those that have ended took theirs along.
    pauses_.cpu_time_of_others += std::max(
        census_->CpuTimeOfOthers() - *others_before_, absl::ZeroDuration());
    others_before_.reset();
  }
  if (runner_->is_stopped()) ++pauses_.pauses;
  const StoppableProcess::Pause pause = runner_->Continue();
  if (pause.cpu_time > kStoppingTakes) {
    ++pauses_.broken;
    pauses_.cpu_time += pause.cpu_time;
  }
  if (pause.stood_still) return true;
  ++escapes_;
  return escapes_ < kFewestEscapes || escapes_ * kMostStopsPerEscape < stops_;
}

void RunnerSession::LookAtOthers(const worker::RunnerRequest& request) {
  if (!frozen_between_requests() || !census_.has_value()) return;
  // After a run there may be none, and a ping comes between runs.
  if (!request.has_load() && !request.has_bind()) return;
  if (!census_->Others().empty()) others_before_ = census_->CpuTimeOfOthers();
}

bool RunnerSession::IsForeign(const Packet& packet) const {
  return runner_ != nullptr && packet.sender_pid != runner_->pid();
}

void RunnerSession::CountProcesses(RunnerOutcome& outcome) const {
  if (trusted_ || !census_.has_value()) return;
  std::vector<std::string> names = census_->Others();
  outcome.processes_left = static_cast<int>(names.size());
  names.resize(std::min(names.size(), kNamesShown));
  outcome.left_names = absl::StrJoin(names, ", ");
}

void RunnerSession::Kill() {
  alive_ = false;
  process_->Kill();
}

bool RunnerSession::HasHungUp() const {
  pollfd socket = {socket_.fd(), POLLRDHUP, 0};
  return poll(&socket, 1, /*timeout=*/0) > 0;
}

std::string RunnerSession::DrainLog() {
  return log_taken_ ? "" : process_->DrainLog();
}

std::string RunnerSession::TakeLog() {
  if (log_taken_) return "";
  log_taken_ = true;
  if (over_.empty()) End("the session was closed");
  return process_->TakeLog();
}

absl::StatusOr<RunnerOutcome> RunnerSession::Ask(worker::RunnerRequest request,
                                                 const std::vector<int>& fds,
                                                 absl::Duration timeout) {
  if (!over_.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the runner is gone: ", over_));
  }
  request.set_attempt(RandomId("att-"));
  const absl::Duration start = Clock::Real().Monotonic();
  const absl::Status sent =
      socket_.Send(request.SerializeAsString(), fds, timeout);
  // Only now: nothing of it runs before the request is there.
  if (sent.ok() && !Thaw()) {
    RunnerOutcome outcome =
        BrokeProtocol("it had itself woken while it was stopped");
    outcome.woke_itself = true;
    return outcome;
  }
  const absl::StatusOr<Packet> packet =
      sent.ok() ? socket_.Receive(start + timeout - Clock::Real().Monotonic())
                : absl::StatusOr<Packet>(sent);
  const absl::Duration elapsed = Clock::Real().Monotonic() - start;
  RunnerOutcome outcome;
  if (packet.ok()) {
    const std::string unstopped = Freeze();
    if (IsForeign(*packet)) {
      outcome = BrokeProtocol("another process than the runner answered");
    } else if (!unstopped.empty()) {
      outcome = BrokeProtocol(unstopped);
    } else {
      outcome = Judge(request, packet->data);
      if (request.has_run()) CountProcesses(outcome);
      LookAtOthers(request);
    }
  } else if (absl::IsUnavailable(packet.status())) {
    ASSAY_ASSIGN_OR_RETURN(outcome, Died());
  } else if (absl::IsDeadlineExceeded(packet.status())) {
    outcome = TimedOut(timeout);
  } else if (!sent.ok()) {
    // It knows nothing of the request, and may get another.
    return Annotate(sent, "asking a runner");
  } else if (absl::IsInvalidArgument(packet.status())) {
    outcome = BrokeProtocol(packet.status().message());
  } else {
    End(packet.status().message());
    Kill();
    return Annotate(packet.status(), "listening to a runner");
  }
  outcome.elapsed = elapsed;
  return outcome;
}

RunnerOutcome RunnerSession::Judge(const worker::RunnerRequest& request,
                                   absl::string_view message) {
  worker::RunnerReply reply;
  if (!reply.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    return BrokeProtocol("it sent something that is no reply");
  }
  if (reply.attempt() != request.attempt()) {
    return BrokeProtocol("it answered another request than the one it got");
  }
  const int calls = request.has_ping() ? 1 : request.run().calls_size();
  RunnerOutcome outcome;
  if (reply.has_failed()) {
    const std::string fault = FaultIn(reply.failed(), calls);
    if (!fault.empty()) return BrokeProtocol(fault);
    outcome.kind = RunnerOutcome::kFailed;
    outcome.failed = std::move(*reply.mutable_failed());
    Shorten(*outcome.failed.mutable_message(), kMaxFailureBytes);
    return outcome;
  }
  if (reply.reply_case() != WantedReply(request)) {
    return BrokeProtocol("its reply is of the wrong kind");
  }
  if (reply.has_ran()) {
    const std::string fault = FaultIn(reply.ran(), calls);
    if (!fault.empty()) return BrokeProtocol(fault);
    outcome.ran = std::move(*reply.mutable_ran());
    // Left out.
    outcome.ran.mutable_outside_ns()->Resize(calls, 0);
  }
  return outcome;
}

absl::StatusOr<RunnerOutcome> RunnerSession::Died() {
  // Perhaps it is stopped on its way out.
  if (frozen_between_requests()) runner_->Continue();
  const absl::StatusOr<std::string> end = process_->WaitAndDescribe(kEndTime);
  if (!end.ok()) {
    End(end.status().message());
    Kill();
    return Annotate(end.status(), "a runner is lost");
  }
  if (end->empty()) {
    End("it closed its connection to the worker");
    Kill();
  } else {
    End(*end);
  }
  RunnerOutcome outcome;
  outcome.kind = RunnerOutcome::kDied;
  outcome.detail = over_;
  return outcome;
}

RunnerOutcome RunnerSession::BrokeProtocol(absl::string_view how) {
  End(absl::StrCat("broke the runner protocol: ", how));
  Kill();
  RunnerOutcome outcome;
  outcome.kind = RunnerOutcome::kDied;
  outcome.detail = over_;
  return outcome;
}

RunnerOutcome RunnerSession::TimedOut(absl::Duration timeout) {
  End(absl::StrCat("no answer within ", absl::FormatDuration(timeout)));
  Kill();
  RunnerOutcome outcome;
  outcome.kind = RunnerOutcome::kTimeout;
  outcome.detail = over_;
  return outcome;
}

void RunnerSession::End(absl::string_view why) {
  over_ = std::string(why);
  alive_ = false;
}

}  // namespace assay
