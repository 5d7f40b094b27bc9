// Leases as rows: each function is one unit of work of the store.

#ifndef ASSAY_SERVER_LEASE_LEASES_H_
#define ASSAY_SERVER_LEASE_LEASES_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/worker_service.pb.h"
#include "server/lease/presence.h"
#include "server/store/session.h"

namespace assay {

// Stores the worker. Leases of an older session of it are revoked and their
// jobs go back to the queue; that session cannot register again:
// FAILED_PRECONDITION.
absl::StatusOr<bool> RegisterWorker(Session& session,
                                    const v1::RegisterWorkerRequest& request);

// Largest lease, so that it fits into a message: it has fewer jobs rather.
inline constexpr size_t kMaxLeaseBytes = size_t{32} << 20;

// Takes all leases from the worker for good; their jobs go back to the queue.
absl::Status RevokeLeases(Session& session, absl::string_view worker_id);

struct Acquired {
  v1::AcquireLeaseResponse response;
  // Of the worker's device: others of the class would have found the same.
  // Empty when it is held back.
  std::string device_class;
  // It went before an older one for what the worker has at hand.
  bool preferred = false;
  // Unless something was left to them because it failed on this worker.
  bool passed_over = false;
};

// Gives jobs of one solution to the worker; no lease when nothing waits that
// it can run. The same request_id returns the same lease while that is active.
// No lease either for a worker that says that it is unwell, and none but one
// that is repeated for one that is drained. ABORTED when the
// session is not the worker's current one.
absl::StatusOr<Acquired> AcquireLease(Session& session,
                                      const v1::AcquireLeaseRequest& request,
                                      const Presence& presence);

// The lease was silent for too long: its jobs go back to the queue. Until one
// is taken by another worker, the lease can be resumed. A worker of which
// nothing at all is heard loses its other leases with it: which of its jobs is
// to blame shows only when all are looked at. True when the lease was active.
absl::StatusOr<bool> ExpireLease(Session& session, absl::string_view lease_id,
                                 const Presence& presence);

}  // namespace assay

#endif  // ASSAY_SERVER_LEASE_LEASES_H_
