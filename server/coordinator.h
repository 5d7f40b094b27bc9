// The coordinator as an object: everything that main starts, and tests too.
//
//   Coordinator::Options options;
//   options.listen = "127.0.0.1:0";
//   options.store_path = "assay.db";
//   ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Coordinator> coordinator,
//                          Coordinator::Start(std::move(options)));
//   Use(coordinator->address());

#ifndef ASSAY_SERVER_COORDINATOR_H_
#define ASSAY_SERVER_COORDINATOR_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "server/auth/tls.h"

namespace assay {

// Thread-safe.
class Coordinator {
 public:
  // Largest message, either way.
  static constexpr int kMaxMessageBytes = 64 << 20;

  struct Options {
    // `host:port`, port 0 picks one; or `unix:/path`.
    std::string listen = "127.0.0.1:50051";
    // `HOST:PORT` for HTTP: health and metrics. Empty: none.
    std::string http_listen;
    // Anything but loopback is refused for HTTP without it: everybody can read
    // there.
    bool http_insecure = false;
    // Encryption. Without it, or without a token in the store, anything but
    // loopback is refused, unless `insecure`.
    TlsFiles tls;
    bool insecure = false;
    // SQLite file; blobs lie beside it in `<store>.blobs`.
    std::string store_path = "assay.db";
    // How long a lease lives after the worker's last report.
    absl::Duration lease_ttl = absl::Seconds(30);
    // How long a worker that is told to stop may go on with the job at hand.
    absl::Duration worker_stop_grace = absl::Seconds(60);
    // How long workers keep results that they cannot deliver.
    absl::Duration spool_time = absl::Minutes(10);
    Clock* clock = &Clock::Real();
    // How long logs of evaluations, and blobs that nothing refers to, are kept;
    // see retention.h.
    absl::Duration keep_logs = absl::InfiniteDuration();
    absl::Duration keep_unused_blobs = absl::Hours(24 * 7);
    // Pause between two looks at what is due. Infinite: only Tick looks.
    absl::Duration tick = absl::Milliseconds(200);
    // Open calls get this long to end when it stops.
    absl::Duration stop_grace = absl::Seconds(5);
  };

  static absl::StatusOr<std::unique_ptr<Coordinator>> Start(Options options);
  // Stops.
  ~Coordinator();

  // Where it listens, with the port that was picked.
  const std::string& address() const;

  // Where it serves HTTP; empty when it does not.
  std::string http_address() const;

  // Ends leases and waits that are due. Done by itself every `tick`.
  void Tick();

  // Refuses new calls, finishes open ones, writes what is posted, closes the
  // store. Repeating it is harmless.
  void Stop();

 private:
  class Impl;
  explicit Coordinator(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_COORDINATOR_H_
