// Reports of leases on disk: what the coordinator has not acknowledged outlives
// the worker's process. Kept when a process dies, in the page cache at least;
// no promise is made about power.
//
//   ASSAY_ASSIGN_OR_RETURN(auto spool, ReportSpool::Open(folder));
//   for (SpooledLease& left : spool->TakeLeft()) { deliver;
//   spool->Forget(left); } std::unique_ptr<SpoolFile> file =
//   spool->Start(accept, keep); file->Append(report); file->Remove(); //
//   delivered, or nobody wants it any more

#ifndef ASSAY_WORKER_LEASE_REPORT_SPOOL_H_
#define ASSAY_WORKER_LEASE_REPORT_SPOOL_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "assay/v1/worker_service.pb.h"
#include "base/fd.h"

namespace assay {

// The reports of one lease. Not thread-safe; may outlive the spool.
class SpoolFile {
 public:
  // Never fails: where the disk is full or the spool has its bytes, this one
  // and those after it are not kept, and the log says so.
  void Append(const v1::LeaseReport& report);
  // Nothing is left of it.
  void Remove();

 private:
  friend class ReportSpool;
  SpoolFile(std::string path, UniqueFd file,
            std::shared_ptr<std::atomic<int64_t>> room)
      : path_(std::move(path)),
        file_(std::move(file)),
        room_(std::move(room)) {}

  const std::string path_;
  // None once something could not be written.
  UniqueFd file_;
  int64_t bytes_ = 0;
  // What all files of the spool may still take.
  const std::shared_ptr<std::atomic<int64_t>> room_;
};

// What an earlier process left of one lease.
struct SpooledLease {
  std::string path;
  // As the process sent it: says which lease, worker and session.
  v1::LeaseReport accept;
  // In order, without a gap.
  std::vector<v1::LeaseReport> reports;
  // For how much longer it is to be offered; not positive: no longer.
  absl::Duration left;
};

// Thread-safe.
class ReportSpool {
 public:
  static constexpr int64_t kMaxBytes = int64_t{256} << 20;

  // Creates the folder when it is missing. FAILED_PRECONDITION while another
  // process has it.
  static absl::StatusOr<std::unique_ptr<ReportSpool>> Open(
      const std::string& folder, int64_t max_bytes = kMaxBytes);

  // What earlier processes left, oldest first; a report that was being written
  // when they died is not among it.
  std::vector<SpooledLease> TakeLeft();
  void Forget(const SpooledLease& lease);

  // A file for the lease that `accept` is about, of which reports are to be
  // offered for `keep` after the last one. Null when there can be none.
  std::unique_ptr<SpoolFile> Start(const v1::LeaseReport& accept,
                                   absl::Duration keep);

 private:
  ReportSpool(std::string folder, UniqueFd lock, int64_t max_bytes)
      : folder_(std::move(folder)),
        lock_(std::move(lock)),
        room_(std::make_shared<std::atomic<int64_t>>(max_bytes)) {}

  const std::string folder_;
  const UniqueFd lock_;
  const std::shared_ptr<std::atomic<int64_t>> room_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_LEASE_REPORT_SPOOL_H_
