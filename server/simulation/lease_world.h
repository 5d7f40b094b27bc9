// The coordinator, the workers and the network of one simulation, and what each
// step does to them.

#ifndef ASSAY_SERVER_SIMULATION_LEASE_WORLD_H_
#define ASSAY_SERVER_SIMULATION_LEASE_WORLD_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "server/simulation/lease_ledger.h"
#include "server/simulation/lease_simulation.h"
#include "server/simulation/simulated_coordinator.h"
#include "server/simulation/simulated_worker.h"

namespace assay {

class LeaseWorld {
 public:
  LeaseWorld();

  // Does the step, then checks what must hold.
  void Run(const Step& step);
  // Ends all trouble and works until nothing is left.
  void Settle();

  const std::string& fault() const { return ledger_.fault(); }
  const LeaseLedger& ledger() const { return ledger_; }
  int64_t refused() const { return refused_; }

 private:
  // Draws from a step's choice, the same each time.
  class Choice {
   public:
    explicit Choice(uint32_t seed) : state_(seed) {}
    // 0 to n - 1.
    uint32_t Below(uint32_t n);
    bool Once(uint32_t in) { return Below(in) == 0; }

   private:
    uint64_t state_;
  };

  void Do(Step::Kind kind, Choice choice);
  void Submit(Choice& choice);
  void CancelSubmission(Choice& choice);
  void StartWorker(SimulatedWorker& worker);
  // Gets at work on its jobs and dies of it.
  void DieAtWork(SimulatedWorker& worker);
  void RegisterReplaced(Choice& choice);
  void Acquire(SimulatedWorker& worker, int max_jobs, bool there, bool heard);
  void SayUnwell(SimulatedWorker& worker, Choice& choice);
  void Decide(const SimulatedWorker& worker, SimulatedCoordinator::Verb verb);
  void Break(Choice& choice);
  void Work(SimulatedLease& lease, Choice& choice);
  void Receive(const std::shared_ptr<SimulatedStream>& stream);
  void Hear(SimulatedLease& lease);
  void Exchange(SimulatedLease& lease);
  void Advance(absl::Duration step);
  void Forge(Choice& choice);
  // A healthy worker does all that it is given.
  bool WorkOff(SimulatedWorker& worker);

  SimulatedWorker& PickWorker(Choice& choice);
  // Null when no worker has any.
  SimulatedLease* PickLease(Choice& choice);
  void NoteRefusal(const absl::Status& status);

  FakeClock clock_;
  SimulatedCoordinator coordinator_;
  LeaseLedger ledger_;
  std::vector<SimulatedWorker> workers_;
  std::vector<std::string> submissions_;
  // Streams that their workers have left, with reports on their way.
  std::vector<std::shared_ptr<SimulatedStream>> late_;
  // Reports that a forger has seen.
  std::vector<v1::LeaseReport> seen_;
  int64_t steps_ = 0;
  int64_t refused_ = 0;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SIMULATION_LEASE_WORLD_H_
