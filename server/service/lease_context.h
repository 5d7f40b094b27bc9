// What the calls of WorkerService share.

#ifndef ASSAY_SERVER_SERVICE_LEASE_CONTEXT_H_
#define ASSAY_SERVER_SERVICE_LEASE_CONTEXT_H_

#include "absl/time/time.h"
#include "base/clock.h"
#include "server/lease/lease_monitor.h"
#include "server/lease/parking.h"
#include "server/lease/presence.h"
#include "server/rpc/open_calls.h"
#include "server/store/store.h"

namespace assay {

// Everything outlives the calls.
struct LeaseContext {
  Store& store;
  Presence& presence;
  LeaseMonitor& monitor;
  Parking& parking;
  OpenCalls& open_calls;
  Clock& clock;
  // How long a lease lives after the last report.
  absl::Duration lease_ttl;
  // Largest pause between reports.
  absl::Duration heartbeat_interval;
  // How long AcquireLease may wait.
  absl::Duration poll;
  // How long a worker that stops may go on with the job at hand.
  absl::Duration stop_grace = absl::Seconds(60);
  // How long a worker keeps results that it cannot deliver.
  absl::Duration spool_time = absl::Minutes(10);
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_LEASE_CONTEXT_H_
