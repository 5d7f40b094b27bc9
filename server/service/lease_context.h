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
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_LEASE_CONTEXT_H_
