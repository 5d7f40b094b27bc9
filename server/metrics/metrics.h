// What the coordinator counts, in Prometheus' text form.
//
// Names begin with `assay_`; times are seconds, sizes bytes. docs/operations.md
// lists them all. Labels take few values each: methods, codes, states, statuses
// and stages, never names that clients choose.

#ifndef ASSAY_SERVER_METRICS_METRICS_H_
#define ASSAY_SERVER_METRICS_METRICS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "assay/v1/worker_service.pb.h"
#include "server/metrics/own_process.h"
#include "server/store/effects.h"

namespace assay {

// How things stand at one moment.
struct CoordinatorState {
  int64_t jobs_waiting = 0;
  int64_t jobs_running = 0;
  int64_t leases_active = 0;
  // How many are in each state; those that are lost do not show.
  std::map<v1::WorkerRecord::State, int64_t> workers;
  int64_t writes_waiting = 0;
  int64_t reads_waiting = 0;
  // Of the store's files.
  int64_t store_bytes = 0;
  // That the file system has left for it.
  int64_t free_bytes = 0;
  bool is_ready = false;
  OwnProcess process;
};

// Thread-safe.
class Metrics {
 public:
  Metrics();
  ~Metrics();

  // A call began. `method` as gRPC has it:
  // `/assay.v1.AdminService/GetServerInfo`.
  void OnCallStarted(absl::string_view method);
  // A call ended with the code.
  void OnCallEnded(absl::string_view method, absl::StatusCode code,
                   absl::Duration duration);
  // The writer ended a transaction of `tasks` units of work.
  void OnTransaction(size_t tasks, absl::Duration duration,
                     const absl::Status& status);
  // Counts evaluations by status, their stages, and jobs by how they ended.
  void OnCommit(const Effects& effects);
  void OnLeaseExpired();

  // All of it, for a scrape.
  std::string Text(const CoordinatorState& state);

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_METRICS_METRICS_H_
