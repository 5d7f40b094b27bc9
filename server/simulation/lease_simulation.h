// Random but repeatable lives of the lease machine: workers that come, work,
// fall silent, die and come back, streams that break and are resumed, a
// coordinator that is killed, commits that fail, messages that are repeated,
// late, forged. What must hold is checked after every step; see LeaseLedger.
//
//   const std::vector<Step> steps = RandomSteps(seed, 1000);
//   if (const SimulationResult result = Simulate(steps); !result.fault.empty())
//     std::cout << Describe(Shrink(steps));

#ifndef ASSAY_SERVER_SIMULATION_LEASE_SIMULATION_H_
#define ASSAY_SERVER_SIMULATION_LEASE_SIMULATION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

// Stands alone, so that the others can be left out: `choice` picks among what
// there is at its time, and where there is nothing, nothing happens.
struct Step {
  enum Kind {
    kSubmit,
    kCancelSubmission,
    // A worker's process starts, in place of an older one.
    kStartWorker,
    // It ends at once.
    kKillWorker,
    // Its process dies of what it is at work on, and is started again.
    kDieAtWork,
    // A process that was replaced registers again.
    kRegisterReplaced,
    kAcquire,
    // The answer is lost; the worker repeats the call, later.
    kAcquireUnheard,
    // The worker has gone away before the answer.
    kAcquireAbandoned,
    kSayUnwell,
    kDrain,
    kUndrain,
    kQuarantine,
    kRelease,
    kConnect,
    kBreak,
    kWork,
    kStop,
    kSend,
    kReceive,
    kHear,
    // All of a lease's traffic: so that many get somewhere.
    kExchange,
    kAdvance,
    kRestart,
    kFailCommit,
    // A report of the past is sent again, as it was or under another name.
    kForge,
    kKinds
  };
  Kind kind;
  uint32_t choice;
};

std::vector<Step> RandomSteps(uint64_t seed, size_t count);

struct SimulationResult {
  // What did not hold first; empty when all did.
  std::string fault;
  // Steps that ran, the one at fault included.
  size_t steps = 0;
  // How much happened, to show that it is no idle run.
  int64_t jobs = 0;
  int64_t completed = 0;
  int64_t failed = 0;
  int64_t cancelled = 0;
  // Attempts beyond the first of each job.
  int64_t repeated_attempts = 0;
  // Reports and calls that were refused.
  int64_t refused = 0;
};

// Runs the steps on a fresh store, then lets healthy workers finish what is
// left: whatever happened, every job must end.
SimulationResult Simulate(const std::vector<Step>& steps);

// Leaves out steps as long as a fault remains.
std::vector<Step> Shrink(std::vector<Step> steps);

// One line for each step, `name choice`, which ParseSteps reads.
std::string Describe(const std::vector<Step>& steps);
absl::StatusOr<std::vector<Step>> ParseSteps(absl::string_view text);

}  // namespace assay

#endif  // ASSAY_SERVER_SIMULATION_LEASE_SIMULATION_H_
