// A worker that keeps the protocol of leases whatever happens to its
// coordinator or its network: it asks again, resumes a broken stream from the
// last acknowledged report, and drops what it is told to drop. It evaluates
// nothing; each evaluation carries a mark of its own, and the log says which
// marks were acknowledged.
//
//   acknowledged <job> <mark>   an evaluation is durably stored
//   dropped <job>               the coordinator does not want a report of it
//   lost <lease> <reason>       the lease is gone

#ifndef ASSAY_TESTS_CHAOS_CHAOS_WORKER_H_
#define ASSAY_TESTS_CHAOS_CHAOS_WORKER_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "assay/v1/worker_service.grpc.pb.h"
#include "tests/chaos/event_log.h"

namespace assay::chaos {

class ChaosWorker {
 public:
  struct Options {
    std::string id;
    std::string server;
    // How long an evaluation seems to take, at most.
    absl::Duration evaluation = absl::Milliseconds(10);
    // A coordinator that says nothing for this long is taken for gone.
    absl::Duration patience = absl::Seconds(2);
    EventLog* log = nullptr;
  };

  explicit ChaosWorker(Options options);

  // Works until the process is killed. Returns what cannot be repeated: another
  // process has its id.
  absl::Status Run();

 private:
  absl::Status Register();
  absl::StatusOr<v1::AcquireLeaseResponse> Acquire();
  // Until the lease is finished or lost.
  void Work(const v1::Lease& lease);

  const Options options_;
  const std::string session_id_;
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::WorkerService::Stub> stub_;
  std::mt19937_64 random_;
};

}  // namespace assay::chaos

#endif  // ASSAY_TESTS_CHAOS_CHAOS_WORKER_H_
