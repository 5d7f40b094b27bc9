// A worker of the simulation: keeps to the protocol as docs/concepts.md has it,
// at whatever pace the steps give it.

#ifndef ASSAY_SERVER_SIMULATION_SIMULATED_WORKER_H_
#define ASSAY_SERVER_SIMULATION_SIMULATED_WORKER_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "assay/v1/worker_service.pb.h"
#include "server/simulation/simulated_coordinator.h"

namespace assay {

// One lease as its worker has it.
class SimulatedLease {
 public:
  SimulatedLease(v1::Lease lease, std::string worker_id, std::string session_id)
      : lease_(std::move(lease)),
        worker_id_(std::move(worker_id)),
        session_id_(std::move(session_id)) {}

  // What happens to the job at hand next.
  enum class Progress { kStage, kComplete, kFailRetryable, kFailFinally };

  const v1::Lease& lease() const { return lease_; }
  // Finished or lost: nothing more happens.
  bool over() const { return over_; }
  const std::shared_ptr<SimulatedStream>& stream() const { return stream_; }

  // Opens a stream, unless there is one, and accepts.
  void Connect(SimulatedCoordinator& coordinator);
  // The stream breaks; what the coordinator said is not heard.
  void Break() { stream_ = nullptr; }
  // Goes on with the next job that is not called off; without one, finishes.
  // Nothing before the lease is accepted.
  void Work(Progress progress);
  // Stops, as on SIGTERM: gives back what it has not done.
  void Finish();
  // Sends the next report, or else a heartbeat.
  void Send();
  // Hears the next directive; returns the reports that it acknowledges.
  std::vector<v1::LeaseReport> Hear();

 private:
  v1::LeaseReport NewReport() const;
  void Enqueue(v1::LeaseReport report);
  void Obey(const v1::LeaseDirective& directive);

  const v1::Lease lease_;
  const std::string worker_id_;
  const std::string session_id_;
  std::shared_ptr<SimulatedStream> stream_;
  // Not yet acknowledged; the first `sent_` went out on this stream.
  std::deque<v1::LeaseReport> pending_;
  size_t sent_ = 0;
  int64_t next_number_ = 1;
  bool accepted_ = false;
  // This stream's accept was answered.
  bool connected_ = false;
  bool finishing_ = false;
  bool over_ = false;
  std::set<std::string> cancelled_;
  bool drained_ = false;
  int job_ = 0;
  int stage_ = v1::BUILD;
};

// One worker id and its process of the moment.
struct SimulatedWorker {
  std::string id;
  v1::Device device;
  // 0: the process has not been started.
  int process = 0;
  bool running = false;
  std::string request_id;
  std::string unwell_reason;
  std::vector<std::unique_ptr<SimulatedLease>> leases;

  std::string SessionId(int number) const;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SIMULATION_SIMULATED_WORKER_H_
