// One lease, as the worker holds it: reports go to the coordinator in order and
// are kept until it has acknowledged them; a broken stream is opened again and
// goes on after the last acknowledged report. When nobody answers for a ttl
// the jobs are off, for others may have them by then; outcomes are offered for
// some time longer.
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
#include "worker/evaluate/job_observer.h"
#include "worker/lease/report_spool.h"

namespace assay {

class LeaseStream final : public JobObserver {
 public:
  struct Options {
    // Outlives the stream.
    v1::WorkerService::StubInterface* stub = nullptr;
    std::string worker_id;
    std::string session_id;
    std::string lease_id;
    // Without an answer for this long, since what it answers was sent, the
    // lease counts as lost.
    absl::Duration ttl = absl::Seconds(30);
    // How much longer outcomes are offered.
    absl::Duration spool_time = absl::Minutes(10);
    // Keeps them meanwhile; null: nothing does. Outlives the stream.
    ReportSpool* spool = nullptr;
    absl::Duration heartbeat_interval = absl::Seconds(10);
  };

  // Returns once the coordinator has agreed: only then may work start. ABORTED
  // when the lease is lost already, UNAVAILABLE when nobody answered for a ttl.
  static absl::StatusOr<std::unique_ptr<LeaseStream>> Accept(Options options);

  // Offers what an earlier process has left of a lease, in its place and for as
  // long as it says, and nothing more.
  static std::unique_ptr<LeaseStream> TakeOver(Options options,
                                               const SpooledLease& left);
  // Of a lease that was taken over: waits until it is known what becomes of it.
  // OK when all is stored, ABORTED when nobody wants it any more.
  absl::Status AwaitDelivery();

  // Gives the lease up unless Finish has returned.
  ~LeaseStream() override;

  // Never block. Nothing is sent any more once the lease is lost.
  void ReportStage(const v1::LeasedJob& job, v1::JobStage stage) override;
  void ReportCompleted(const v1::LeasedJob& job,
                       v1::Evaluation evaluation) override;
  void ReportFailed(const v1::LeasedJob& job, v1::JobFailure failure,
                    bool retryable) override;

  // Only where the coordinator waits for it.
  void ReportStopped(const v1::LeasedJob& job) override;

  // Whether the job is not to be worked on: cancelled, the lease lost, StopNow
  // called, or StopAfterCurrent before it began.
  bool IsOff(absl::string_view job_id) const override;

  // The process is to end: jobs that are not past their build are off from now
  // on, and Finish gives them back to the coordinator; or leaves outcomes in
  // the spool while there is none.
  void StopAfterCurrent();
  // All of them are.
  void StopNow();
  // The process ends now: what is not delivered stays in the spool.
  void Leave();

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
  void CallOff(const std::string& job_id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EnqueueStopped(const std::string& job_id, int64_t fence)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  void LeaveLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Enqueue(v1::LeaseReport report);
  void EnqueueOutcome(const v1::LeasedJob& job, v1::LeaseReport report);
  void EnqueueLocked(v1::LeaseReport report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  v1::LeaseReport NewReport() const;
  // Whether there is no point in another connection; notes when the lease
  // counts as lost.
  bool IsHopeless() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasOutcomes() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
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
  // When that was sent which was answered last.
  absl::Duration last_answer_ ABSL_GUARDED_BY(mutex_);
  // Of this connection: when it was begun, and when that was sent which has no
  // answer yet.
  absl::Duration connection_begin_ ABSL_GUARDED_BY(mutex_);
  std::deque<absl::Duration> unanswered_ ABSL_GUARDED_BY(mutex_);
  // Nobody answered for a ttl: the jobs may be others' by now.
  bool lapsed_ ABSL_GUARDED_BY(mutex_) = false;
  // It was taken over, to deliver what it has.
  bool delivers_only_ ABSL_GUARDED_BY(mutex_) = false;
  bool process_ends_ ABSL_GUARDED_BY(mutex_) = false;
  // The spool keeps what is left.
  bool leaves_ ABSL_GUARDED_BY(mutex_) = false;
  std::unique_ptr<SpoolFile> spooled_ ABSL_GUARDED_BY(mutex_);
  bool all_cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_now_ ABSL_GUARDED_BY(mutex_) = false;
  // Jobs past their build, and those of them that were reported since.
  absl::flat_hash_set<std::string> begun_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_set<std::string> reported_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_set<std::string> cancelled_ ABSL_GUARDED_BY(mutex_);
  grpc::ClientContext* context_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::thread thread_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_LEASE_LEASE_STREAM_H_
