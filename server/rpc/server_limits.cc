#include "server/rpc/server_limits.h"

#include <grpc/grpc.h>
#include <grpcpp/resource_quota.h>

#include <cstddef>
#include <utility>

#include "absl/time/time.h"

namespace assay {
namespace {

// Of gRPC's own buffers. A call whose message does not fit waits; when nothing
// else helps, idle connections are closed.
constexpr size_t kBufferBytes = size_t{256} << 20;
// Calls at a time on one connection; more wait. A thousand workers behind one
// proxy have two each.
constexpr int kMaxStreams = 4096;
// Whoever connects has this long to say something sensible.
constexpr absl::Duration kHandshake = absl::Seconds(20);
// A connection without calls is closed after this; clients open another when
// they need one.
constexpr absl::Duration kMaxIdle = absl::Minutes(15);
// A connection is closed after this, so that certificates are shown again and
// what was half sent does not stay for good. Streams have the grace to end;
// leases are resumed and watches repeated after it.
constexpr absl::Duration kMaxAge = absl::Hours(4);
constexpr absl::Duration kMaxAgeGrace = absl::Minutes(15);
// A peer that vanished is noticed after this.
constexpr absl::Duration kPing = absl::Minutes(1);
constexpr absl::Duration kPingTimeout = absl::Seconds(20);
// A client may ping no more often than this, twice; the third time it is hung
// up on.
constexpr absl::Duration kMinClientPing = absl::Minutes(5);
// The default of gRPC, in writing: a token fits many times.
constexpr int kMaxHeaderBytes = 8 << 10;

int Milliseconds(absl::Duration duration) {
  return static_cast<int>(absl::ToInt64Milliseconds(duration));
}

}  // namespace

void LimitConnections(grpc::ServerBuilder& builder) {
  grpc::ResourceQuota quota("coordinator");
  quota.Resize(kBufferBytes);
  builder.SetResourceQuota(quota);
  for (const auto& [name, value] : {
           std::pair{GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxStreams},
           {GRPC_ARG_MAX_METADATA_SIZE, kMaxHeaderBytes},
           {GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, Milliseconds(kHandshake)},
           {GRPC_ARG_MAX_CONNECTION_IDLE_MS, Milliseconds(kMaxIdle)},
           {GRPC_ARG_MAX_CONNECTION_AGE_MS, Milliseconds(kMaxAge)},
           {GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, Milliseconds(kMaxAgeGrace)},
           {GRPC_ARG_KEEPALIVE_TIME_MS, Milliseconds(kPing)},
           {GRPC_ARG_KEEPALIVE_TIMEOUT_MS, Milliseconds(kPingTimeout)},
           // Also where there is nothing to send, as to an idle watch.
           {GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0},
           {GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
            Milliseconds(kMinClientPing)},
       }) {
    builder.AddChannelArgument(name, value);
  }
}

}  // namespace assay
