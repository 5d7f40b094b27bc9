// Counts the calls of a gRPC server.
//
//   creators.push_back(MakeCallObserver(metrics, clock));
//   builder.experimental().SetInterceptorCreators(std::move(creators));

#ifndef ASSAY_SERVER_METRICS_CALL_OBSERVER_H_
#define ASSAY_SERVER_METRICS_CALL_OBSERVER_H_

#include <grpcpp/support/server_interceptor.h>

#include <memory>

#include "base/clock.h"
#include "server/metrics/metrics.h"

namespace assay {

// Both outlive the server.
std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>
MakeCallObserver(Metrics& metrics, Clock& clock);

}  // namespace assay

#endif  // ASSAY_SERVER_METRICS_CALL_OBSERVER_H_
