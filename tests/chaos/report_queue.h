// The reports of one lease in their order, until they are acknowledged.

#ifndef ASSAY_TESTS_CHAOS_REPORT_QUEUE_H_
#define ASSAY_TESTS_CHAOS_REPORT_QUEUE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "assay/v1/worker_service.pb.h"

namespace assay::chaos {

// Not thread-safe.
class ReportQueue {
 public:
  ReportQueue(std::string worker_id, std::string session_id,
              const v1::Lease& lease);

  // The report that accepts the lease; goes first on every stream.
  v1::LeaseReport Accept() const;
  v1::LeaseReport Heartbeat() const;

  // Adds the next job's stage and evaluation, with a mark in its log; after the
  // last job, the report that finishes the lease. False when that was added
  // before. `fails` has the job reported as failed, to be tried again.
  bool AddNext(bool fails);

  // The reports from `number` on that are not acknowledged.
  const v1::LeaseReport* Find(int64_t number) const;
  int64_t first_number() const { return acknowledged_ + 1; }
  int64_t last_number() const { return last_; }

  // An evaluation, by job, with its mark.
  struct Mark {
    std::string job_id;
    std::string mark;
  };
  // Forgets the reports up to `number`; the evaluations among them, without
  // those of jobs that were dropped.
  std::vector<Mark> Acknowledge(int64_t number);
  // Nothing is wanted of the job any more.
  void Drop(const std::string& job_id);

 private:
  v1::LeaseReport Make() const;
  v1::LeaseReport& Append();

  const std::string worker_id_;
  const std::string session_id_;
  const v1::Lease lease_;
  int next_job_ = 0;
  bool finished_ = false;
  int64_t acknowledged_ = 0;
  int64_t last_ = 0;
  // Numbers acknowledged_ + 1 to last_.
  std::deque<v1::LeaseReport> reports_;
  absl::flat_hash_set<std::string> dropped_;
};

}  // namespace assay::chaos

#endif  // ASSAY_TESTS_CHAOS_REPORT_QUEUE_H_
