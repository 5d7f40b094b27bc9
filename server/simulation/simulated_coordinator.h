// The coordinator's lease machine without threads and network: the real
// functions over a real SQLite file, on a clock that stands still. What
// server/coordinator.cc and the calls of WorkerService do around them, it does
// step by step.

#ifndef ASSAY_SERVER_SIMULATION_SIMULATED_COORDINATOR_H_
#define ASSAY_SERVER_SIMULATION_SIMULATED_COORDINATOR_H_

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "assay/v1/evaluation_service.pb.h"
#include "assay/v1/worker_service.pb.h"
#include "base/clock.h"
#include "base/file.h"
#include "server/blob/blob_store.h"
#include "server/lease/lease_conversation.h"
#include "server/lease/lease_monitor.h"
#include "server/lease/presence.h"
#include "server/store/effects.h"
#include "server/store/session.h"
#include "server/store/sqlite.h"

namespace assay {

// A stream of RunLease with both directions as queues.
class SimulatedStream final : public LeaseMonitor::Stream,
                              public LeaseConversation::Peer {
 public:
  SimulatedStream(Presence& presence, LeaseMonitor& monitor)
      : conversation_(presence, monitor, *this) {}

  void Tell(v1::LeaseDirective directive) override {
    if (!end.has_value()) to_worker.push_back(std::move(directive));
  }
  void End(const absl::Status& status) override {
    if (!end.has_value()) end = status;
  }
  void OnCancelled(const std::string& job_id) override {
    conversation_.OnCancelled(job_id);
  }
  void OnLost() override { conversation_.OnLost(); }
  void OnDrained() override { conversation_.OnDrained(); }

  LeaseConversation& conversation() { return conversation_; }

  std::deque<v1::LeaseReport> to_coordinator;
  std::deque<v1::LeaseDirective> to_worker;
  // How the coordinator ended it.
  std::optional<absl::Status> end;

 private:
  LeaseConversation conversation_;
};

class SimulatedCoordinator {
 public:
  static constexpr absl::Duration kTtl = absl::Seconds(30);

  // The clock outlives it.
  explicit SimulatedCoordinator(FakeClock& clock);

  // Ends as kill -9 ends it, and starts again: streams break, what was in
  // memory is gone.
  void Restart();
  // The next unit of work is undone, as when the disk is full.
  void FailNextCommit() { fail_next_commit_ = true; }

  absl::StatusOr<v1::Submission> Submit(
      const v1::CreateSubmissionRequest& request);
  absl::StatusOr<v1::Submission> Cancel(const std::string& submission_id);
  // The verb of an operator about the worker: drain, undrain, quarantine or
  // release.
  using Verb = absl::StatusOr<v1::WorkerRecord> (*)(Session&,
                                                    absl::string_view);
  absl::Status Decide(Verb verb, const std::string& worker_id);
  absl::Status Register(const v1::RegisterWorkerRequest& request);
  // As AcquireLeaseCall: nobody is `there` to take what it finds when the
  // worker has gone away meanwhile.
  absl::StatusOr<v1::AcquireLeaseResponse> Acquire(
      const v1::AcquireLeaseRequest& request, bool there);
  std::shared_ptr<SimulatedStream> Connect();
  // Handles the next report of the stream. True when it was stored.
  bool Receive(const std::shared_ptr<SimulatedStream>& stream);
  void Tick();

  // Looks at the store.
  template <typename Work>
  auto Read(Work work) {
    Transaction transaction = Transaction::BeginRead(*database_).value();
    int64_t counter = counter_;
    Session session(*database_, counter, absl::ToUnixMicros(clock_.Now()));
    return work(session);
  }

  // Effects of all that was committed since they were taken last.
  Effects TakeEffects() { return std::exchange(effects_, {}); }

 private:
  void OpenStore();
  template <typename T, typename Work>
  absl::StatusOr<T> Write(Work work);

  FakeClock& clock_;
  const TempDir folder_;
  std::unique_ptr<BlobStore> blobs_;
  std::unique_ptr<Database> database_;
  int64_t counter_ = 0;
  bool fail_next_commit_ = false;
  std::unique_ptr<Presence> presence_;
  std::unique_ptr<LeaseMonitor> monitor_;
  std::vector<std::shared_ptr<SimulatedStream>> streams_;
  // When each lease was made: an order that is the same in every run.
  std::map<std::string, size_t> lease_order_;
  Effects effects_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SIMULATION_SIMULATED_COORDINATOR_H_
