// What those who run a coordinator ask it: `/healthz`, `/readyz`, `/metrics`.

#ifndef ASSAY_SERVER_HTTP_OPERATION_ROUTES_H_
#define ASSAY_SERVER_HTTP_OPERATION_ROUTES_H_

#include <vector>

#include "server/http/http_message.h"
#include "server/lease/lease_monitor.h"
#include "server/lease/presence.h"
#include "server/metrics/metrics.h"
#include "server/readiness.h"
#include "server/store/store.h"

namespace assay {

// Everything outlives the server.
struct OperationContext {
  Store& store;
  const Presence& presence;
  const LeaseMonitor& monitor;
  const Readiness& readiness;
  Metrics& metrics;
};

// - GET /healthz: 200 as long as the process answers.
// - GET /readyz: 200 when it takes work, 503 and the reason when it does not.
// - GET /metrics: Prometheus' text form; 503 when the store does not answer.
std::vector<HttpRoute> OperationRoutes(const OperationContext& context);

}  // namespace assay

#endif  // ASSAY_SERVER_HTTP_OPERATION_ROUTES_H_
