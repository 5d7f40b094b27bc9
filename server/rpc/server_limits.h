// What one client, or many, can take of the coordinator by connections alone.

#ifndef ASSAY_SERVER_RPC_SERVER_LIMITS_H_
#define ASSAY_SERVER_RPC_SERVER_LIMITS_H_

#include <grpcpp/server_builder.h>

namespace assay {

// Bounds connections, their streams, handshakes, pings and buffers. None of it
// is felt by a client that keeps to the rules; docs/security.md lists the
// values.
void LimitConnections(grpc::ServerBuilder& builder);

}  // namespace assay

#endif  // ASSAY_SERVER_RPC_SERVER_LIMITS_H_
