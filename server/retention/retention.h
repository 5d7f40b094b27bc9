// Lets go of what the store need not keep: logs of old evaluations, and blobs
// that no workload names.
//
//   Retention retention(options, store, blobs);
//   retention.Start();
//
// A thread looks now and then and works in small steps, so that nobody waits
// for it.

#ifndef ASSAY_SERVER_RETENTION_RETENTION_H_
#define ASSAY_SERVER_RETENTION_RETENTION_H_

#include <cstdint>
#include <string>
#include <thread>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "server/blob/blob_store.h"
#include "server/store/store.h"

namespace assay {

// Thread-safe.
class Retention {
 public:
  struct Options {
    // Logs of evaluations that are older go; a line in their place says so.
    // Those that wait for a review stay. Infinite: all stay.
    absl::Duration keep_logs = absl::InfiniteDuration();
    // Blobs that no workload names go when nobody has uploaded them, or asked
    // whether they are there, for so long. Infinite: all stay.
    absl::Duration keep_unused_blobs = absl::Hours(24 * 7);
    // Between two sweeps; the first comes after a tenth of it.
    absl::Duration interval = absl::Minutes(10);
    Clock* clock = &Clock::Real();
  };
  struct Report {
    int64_t logs = 0;
    int64_t blobs = 0;
    int64_t blob_bytes = 0;
  };

  // Store and blobs outlive it.
  Retention(const Options& options, Store& store, BlobStore& blobs)
      : options_(options), store_(store), blobs_(blobs) {}
  // Stops.
  ~Retention() { Stop(); }

  // Sweeps from now on, on a thread.
  void Start();
  // Ends between two steps. Repeating it is harmless.
  void Stop();

  // One sweep, at once. An error leaves the rest to the next one.
  absl::StatusOr<Report> Sweep();

 private:
  void Loop();
  absl::StatusOr<int64_t> SweepLogs();
  absl::Status SweepBlobs(Report& report);
  absl::StatusOr<absl::flat_hash_set<std::string>> BlobsInUse();

  const Options options_;
  Store& store_;
  BlobStore& blobs_;
  absl::Notification stopping_;
  std::thread thread_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_RETENTION_RETENTION_H_
