// One lease, as the worker holds it: reports go to the coordinator in order and
// are kept until it has acknowledged them; a broken stream is opened again and
// goes on after the last acknowledged report.
//
//   ASSAY_ASSIGN_OR_RETURN(auto lease, LeaseStream::Accept(options));
//   lease->ReportStage(job, v1::BUILD);
//   lease->ReportCompleted(job, evaluation);
//   ASSAY_RETURN_IF_ERROR(lease->Finish());
//
// Thread-safe.

#ifndef ASSAY_WORKER_LEASE_LEASE_STREAM_H_
#define ASSAY_WORKER_LEASE_LEASE_STREAM_H_

#include <deque>
#include <memory>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "assay/v1/worker_service.grpc.pb.h"
#include "worker/evaluate/lease_evaluation.h"

namespace assay {

class LeaseStream final : public JobObserver {
 public:
  struct Options {
    // Outlives the stream.
    v1::WorkerService::StubInterface* stub = nullptr;
    std::string worker_id;
    std::string session_id;
    std::string lease_id;
    // Without an answer for this long the lease counts as lost.
    absl::Duration ttl = absl::Seconds(30);
    absl::Duration heartbeat_interval = absl::Seconds(10);
  };

  // Returns once the coordinator has agreed: only then may work start. ABORTED
  // when the lease is lost already, UNAVAILABLE when nobody answered for a ttl.
  static absl::StatusOr<std::unique_ptr<LeaseStream>> Accept(Options options);

  // Gives the lease up unless Finish has returned.
  ~LeaseStream() override;

  // Never block. Nothing is sent any more once the lease is lost.
  void ReportStage(const v1::LeasedJob& job, v1::JobStage stage) override;
  void ReportCompleted(const v1::LeasedJob& job,
                       v1::Evaluation evaluation) override;
  void ReportFailed(const v1::LeasedJob& job, v1::JobFailure failure,
                    bool retryable) override;

  // Whether the job is not to be worked on: cancelled, the lease lost, or
  // StopAfterCurrent was called before it began.
  bool IsOff(absl::string_view job_id) const override;

  // Jobs that are not past their build are off from now on; Finish gives
  // them back to the coordinator.
  void StopAfterCurrent();

  // Whether the coordinator wants this worker to stop asking for leases.
  bool drain_requested() const;

  // Says that the work is done and waits until every report is stored. ABORTED
  // or UNAVAILABLE when the lease was lost before.
  absl::Status Finish();

 private:
  using Stream =
      grpc::ClientReaderWriterInterface<v1::LeaseReport, v1::LeaseDirective>;

  explicit LeaseStream(Options options);

  // Body of the thread: one connection after another, until the end.
  void Run();
  // One connection; returns how it ended.
  absl::Status RunConnection();
  // Sends what there is to send until the stream breaks or all is over.
  void WriteReports(Stream& stream);
  void ReadDirectives(Stream& stream);
  void Handle(const v1::LeaseDirective& directive);

  void Enqueue(v1::LeaseReport report);
  void EnqueueLocked(v1::LeaseReport report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  v1::LeaseReport NewReport() const;
  // Whether the writer has something to do before a heartbeat is due.
  bool WriterHasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  const Options options_;
  mutable absl::Mutex mutex_;
  // Reports not yet acknowledged, in order; the first `sent_` of them went out
  // on the current connection.
  std::deque<v1::LeaseReport> pending_ ABSL_GUARDED_BY(mutex_);
  size_t sent_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t next_number_ ABSL_GUARDED_BY(mutex_) = 1;
  bool connected_ ABSL_GUARDED_BY(mutex_) = false;
  bool broken_ ABSL_GUARDED_BY(mutex_) = false;
  bool accepted_ ABSL_GUARDED_BY(mutex_) = false;
  bool finishing_ ABSL_GUARDED_BY(mutex_) = false;
  bool abandoned_ ABSL_GUARDED_BY(mutex_) = false;
  // Set once, when the thread ends.
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status end_status_ ABSL_GUARDED_BY(mutex_);
  absl::Duration last_answer_ ABSL_GUARDED_BY(mutex_);
  bool drain_ ABSL_GUARDED_BY(mutex_) = false;
  bool all_cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // Jobs past their build.
  absl::flat_hash_set<std::string> begun_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_set<std::string> cancelled_ ABSL_GUARDED_BY(mutex_);
  grpc::ClientContext* context_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::thread thread_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_LEASE_LEASE_STREAM_H_
