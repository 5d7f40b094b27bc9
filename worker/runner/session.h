// The trusted side of one runner process: asks it, times its answers out, and
// believes nothing of what it says.
//
//   ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<RunnerSession> session,
//                          StartNativeRunner(launcher, sandbox, options));
//   // On a machine with an accelerator:
//   ASSAY_RETURN_IF_ERROR(session->SetUp(set_up, absl::Seconds(20)));
//   ASSAY_ASSIGN_OR_RETURN(RunnerOutcome outcome,
//                          session->Load(load, library_fd, absl::Seconds(10)));
//   if (outcome.kind != RunnerOutcome::kOk) { ... a verdict ... }
//   std::string log = session->TakeLog();
//
// Between requests the runner is stopped, from the answer to its first request
// on: nothing of it runs while the worker prepares a call or looks at what came
// of one. A runner that does not stop breaks the protocol.
//
// A Status is an infrastructure failure: it says nothing about the solution.
// Whatever the solution did is a RunnerOutcome.

#ifndef ASSAY_WORKER_RUNNER_SESSION_H_
#define ASSAY_WORKER_RUNNER_SESSION_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/seqpacket.h"
#include "worker/protocol/runner.pb.h"
#include "worker/runner/process_census.h"
#include "worker/runner/runner_process.h"
#include "worker/runner/stoppable_process.h"

namespace assay {

// What a runner did while it was stopped between requests, as the worker saw
// it.
struct PauseRecord {
  // How often it was stopped and had go on.
  int64_t pauses = 0;
  // In how many of them its threads had the processor for longer than stopping
  // takes, and for how long in all of these.
  int64_t broken = 0;
  absl::Duration cpu_time;
  // Processor time of other processes that it had started, while they were
  // alive in the pauses after loads and binds.
  absl::Duration cpu_time_of_others;
};

// What came of one request. After kTimeout and kDied the session is over.
struct RunnerOutcome {
  enum Kind {
    kOk,
    // The runner says so in `failed`.
    kFailed,
    // No answer in time; the process was killed.
    kTimeout,
    // It ended, hung up or broke the protocol; `detail` says which.
    kDied,
  };
  Kind kind = kOk;
  // For Run and Ping and kOk: three non-negative times for each call. A claim.
  worker::Ran ran;
  // For kFailed. A claim; `call` is within the request's calls.
  worker::Failed failed;
  // For kTimeout and kDied, for people: "killed by signal 11 (segmentation
  // fault)".
  std::string detail;
  // From before the request was sent, and the runner woken, to after the answer
  // was read, by this process's clock: no honest sum of call times exceeds it.
  absl::Duration elapsed;
  // For Run and an answer: how many processes besides the runner it has left
  // running, children and orphans of any depth. Seen by this process; no claim.
  int processes_left = 0;
  // The names of the first of them, for people: "sleep, python3".
  std::string left_names;
  // For kDied: it had itself woken while it was stopped, time and again.
  bool woke_itself = false;
};

// Thread-compatible; Kill and alive may be called from any thread at any time.
class RunnerSession {
 public:
  // Waits for the runner's Ready. UNAVAILABLE with what it printed when it ends
  // before, DEADLINE_EXCEEDED when it is late: no code of a solution has run
  // yet, so neither is a solution's fault.
  static absl::StatusOr<std::unique_ptr<RunnerSession>> Connect(
      SeqPacketSocket socket, std::unique_ptr<RunnerProcess> process,
      absl::Duration timeout);

  // Kills the process and waits for its end.
  ~RunnerSession();
  RunnerSession(const RunnerSession&) = delete;
  RunnerSession& operator=(const RunnerSession&) = delete;

  // A request's `timeout` is for sending it and for its answer together.

  // Has the runner open its accelerator. Comes before Load: no code of a
  // solution has run yet, so nothing that goes wrong is a solution's fault.
  // FAILED_PRECONDITION with the runner's reason when it cannot; UNAVAILABLE
  // with what it printed when it ends instead of answering, DEADLINE_EXCEEDED
  // when it is late.
  absl::Status SetUp(const worker::SetUp& set_up, absl::Duration timeout);

  // Loads the solution from `content_fd`, which stays the caller's.
  absl::StatusOr<RunnerOutcome> Load(const worker::Load& load, int content_fd,
                                     absl::Duration timeout);

  // Gives the runner its memory, a descriptor for each arena of `bind`; they
  // stay the caller's. At most SeqPacketSocket::kMaxFds.
  absl::StatusOr<RunnerOutcome> Bind(const worker::Bind& bind,
                                     const std::vector<int>& arena_fds,
                                     absl::Duration timeout);

  // Calls the solution `run.calls_size()` times.
  absl::StatusOr<RunnerOutcome> Run(const worker::Run& run,
                                    absl::Duration timeout);

  // As a Run of one call that calls nothing, and ends at once or when it has
  // kept the processor busy for `spin`: what is left is what a request takes.
  // May come at any time, also before Load; in GPU runners after SetUp.
  absl::StatusOr<RunnerOutcome> Ping(
      int64_t flush_bytes, absl::Duration timeout,
      absl::Duration spin = absl::ZeroDuration());

  // For code that is trusted, as a definition's reference is: the runner is not
  // stopped from now on, and what it leaves running is not counted.
  void TrustRunner();

  // Whether the runner is stopped between requests. False after TrustRunner,
  // and where this host does not allow it, which is logged once.
  bool frozen_between_requests() const {
    return runner_ != nullptr && !trusted_;
  }

  // What happened in pauses since the last call.
  PauseRecord TakePauses() { return std::exchange(pauses_, {}); }

  // Whether another request makes sense: false after Kill, TakeLog, kTimeout
  // and kDied, when the runner was lost, and when it has hung up unasked, as it
  // does when it dies. Asks the socket, and does not block. For any thread.
  bool alive() const { return alive_ && !HasHungUp(); }

  // Ends the process and all that it started, at once. Requests in progress
  // come out as kDied.
  void Kill();

  // What it printed since the last call, shortened where it is long. The
  // process goes on.
  std::string DrainLog();

  // Ends the process and gives what it printed so far, shortened where it is
  // long. Call last; a second call gives nothing.
  std::string TakeLog();

 private:
  RunnerSession(SeqPacketSocket socket, std::unique_ptr<RunnerProcess> process);

  bool HasHungUp() const;
  // Finds out how to stop the process that greeted.
  void Watch(pid_t greeter);
  // Why it goes on although it was stopped; empty when it does not.
  std::string Freeze();
  // False when the runner has been running although it was stopped.
  bool Thaw();
  // Of the runner that is stopped.
  void LookAtOthers(const worker::RunnerRequest& request);
  // Whether another than the runner sent the packet.
  bool IsForeign(const Packet& packet) const;
  void CountProcesses(RunnerOutcome& outcome) const;
  absl::StatusOr<RunnerOutcome> Ask(worker::RunnerRequest request,
                                    const std::vector<int>& fds,
                                    absl::Duration timeout);
  // The outcome for a message that ought to answer `request`.
  RunnerOutcome Judge(const worker::RunnerRequest& request,
                      absl::string_view message);
  // The runner hung up. A Status when it is not known why.
  absl::StatusOr<RunnerOutcome> Died();
  RunnerOutcome BrokeProtocol(absl::string_view how);
  RunnerOutcome TimedOut(absl::Duration timeout);
  // There will be no more answers. Does not kill.
  void End(absl::string_view why);

  SeqPacketSocket socket_;
  std::unique_ptr<RunnerProcess> process_;
  // Why there will be no more answers; empty while there may be.
  std::string over_;
  // Null when the runner cannot be stopped.
  std::unique_ptr<StoppableProcess> runner_;
  // None where the kernel does not tell.
  std::optional<ProcessCensus> census_;
  bool trusted_ = false;
  // How often it was stopped, and ran all the same.
  int64_t stops_ = 0;
  int64_t escapes_ = 0;
  // Of what this side knows.
  std::atomic<bool> alive_{true};
  PauseRecord pauses_;
  // Of other processes when the runner was stopped; nothing unless there were
  // some after a load or bind.
  std::optional<absl::Duration> others_before_;
  // Host memory of the last Bind.
  int64_t given_bytes_ = 0;
  bool log_taken_ = false;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_SESSION_H_
