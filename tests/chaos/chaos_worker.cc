#include "tests/chaos/chaos_worker.h"

#include <thread>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "base/grpc_status.h"
#include "base/random_id.h"
#include "tests/chaos/report_queue.h"
#include "tests/chaos/retry.h"
#include "tests/load/samples.h"

namespace assay::chaos {
namespace {

constexpr int kMaxJobs = 20;
// Of a thousand jobs: reported as failed; followed by a broken stream; followed
// by a report that was sent before.
constexpr int kFailures = 10;
constexpr int kBreaks = 20;
constexpr int kRepeats = 20;
constexpr absl::Duration kHeartbeat = absl::Milliseconds(200);

using Stream = grpc::ClientReaderWriter<v1::LeaseReport, v1::LeaseDirective>;

// One stream of RunLease: a thread reads, this one writes.
class LeaseStream {
 public:
  LeaseStream(v1::WorkerService::Stub& stub,
              const ChaosWorker::Options& options, ReportQueue& queue,
              std::mt19937_64& random)
      : options_(options),
        queue_(queue),
        random_(random),
        stream_(stub.RunLease(&context_)) {}

  // How the stream ended: OK when the lease is finished.
  absl::Status Run() {
    std::thread reader([this] { Read(); });
    Write();
    // Nothing is read after that but what is there already.
    if (!IsOver()) context_.TryCancel();
    reader.join();
    return FromGrpcStatus(stream_->Finish());
  }

 private:
  bool OneIn1000(int count) {
    return random_() % 1000 < static_cast<uint64_t>(count);
  }

  bool IsOver() {
    absl::MutexLock lock(&mutex_);
    return over_;
  }

  void Read() {
    v1::LeaseDirective directive;
    while (stream_->Read(&directive)) {
      absl::MutexLock lock(&mutex_);
      heard_ = absl::Now();
      if (directive.has_acknowledged()) {
        accepted_ = true;
        Acknowledge(directive.acknowledged().number());
      }
      for (const std::string& job : directive.cancel().job_ids()) {
        queue_.Drop(job);
        options_.log->Add({"dropped", job});
      }
    }
    absl::MutexLock lock(&mutex_);
    over_ = true;
  }

  void Acknowledge(int64_t number) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    for (const ReportQueue::Mark& mark : queue_.Acknowledge(number)) {
      options_.log->Add({"acknowledged", mark.job_id, mark.mark});
    }
  }

  // Waits for the answer to accept; false when there is none.
  bool AwaitAccepted() {
    const auto answered = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return accepted_ || over_;
    };
    absl::MutexLock lock(&mutex_);
    mutex_.AwaitWithTimeout(absl::Condition(&answered), options_.patience);
    next_ = queue_.first_number();
    return accepted_ && !over_;
  }

  void Write() {
    if (!stream_->Write(queue_.Accept()) || !AwaitAccepted()) return;
    while (true) {
      {
        absl::MutexLock lock(&mutex_);
        if (over_ || absl::Now() - heard_ > options_.patience) return;
      }
      const absl::optional<v1::LeaseReport> report = NextReport();
      if (!report.has_value()) {
        // All is sent; the end comes after the acknowledgement.
        absl::SleepFor(kHeartbeat);
        if (!stream_->Write(queue_.Heartbeat())) return;
        continue;
      }
      if (!stream_->Write(*report)) return;
      if (OneIn1000(kRepeats) && !stream_->Write(*report)) return;
      if (report->has_completed() && OneIn1000(kBreaks)) return;
    }
  }

  // None when all reports are sent.
  absl::optional<v1::LeaseReport> NextReport() {
    bool evaluates = false;
    {
      absl::MutexLock lock(&mutex_);
      if (queue_.Find(next_) == nullptr) {
        if (!queue_.AddNext(OneIn1000(kFailures))) return absl::nullopt;
        evaluates = true;
      }
    }
    if (evaluates) {
      absl::SleepFor(options_.evaluation *
                     std::uniform_real_distribution<double>(0, 1)(random_));
    }
    absl::MutexLock lock(&mutex_);
    const v1::LeaseReport* report = queue_.Find(next_);
    if (report == nullptr) return absl::nullopt;
    ++next_;
    return *report;
  }

  const ChaosWorker::Options& options_;
  ReportQueue& queue_;
  std::mt19937_64& random_;
  grpc::ClientContext context_;
  const std::unique_ptr<Stream> stream_;
  int64_t next_ = 1;
  absl::Mutex mutex_;
  bool accepted_ ABSL_GUARDED_BY(mutex_) = false;
  bool over_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Time heard_ ABSL_GUARDED_BY(mutex_) = absl::Now();
};

}  // namespace

ChaosWorker::ChaosWorker(Options options)
    : options_(std::move(options)),
      session_id_(RandomId("ses-")),
      channel_(ConnectPatiently(options_.server)),
      stub_(v1::WorkerService::NewStub(channel_)),
      random_(std::random_device{}()) {}

absl::Status ChaosWorker::Run() {
  absl::Status registered = Register();
  while (registered.ok()) {
    const absl::StatusOr<v1::AcquireLeaseResponse> response = Acquire();
    if (!response.ok()) {
      // Another session took its place, or its store knows it no more.
      registered = Register();
    } else if (response->has_lease()) {
      Work(response->lease());
    }
  }
  return registered;
}

absl::Status ChaosWorker::Register() {
  v1::RegisterWorkerRequest request;
  request.set_worker_id(options_.id);
  request.set_session_id(session_id_);
  *request.mutable_device() = load::MakeDevice();
  return CallUntilAnswered(*stub_, &v1::WorkerService::Stub::RegisterWorker,
                           request, options_.patience)
      .status();
}

absl::StatusOr<v1::AcquireLeaseResponse> ChaosWorker::Acquire() {
  v1::AcquireLeaseRequest request;
  request.set_worker_id(options_.id);
  request.set_session_id(session_id_);
  request.set_request_id(RandomId("req-"));
  request.set_max_jobs(kMaxJobs);
  // The coordinator answers after two thirds of a ttl at the latest.
  return CallUntilAnswered(*stub_, &v1::WorkerService::Stub::AcquireLease,
                           request, absl::Seconds(5));
}

void ChaosWorker::Work(const v1::Lease& lease) {
  ReportQueue queue(options_.id, session_id_, lease);
  while (true) {
    const absl::Status end =
        LeaseStream(*stub_, options_, queue, random_).Run();
    if (end.ok()) return;
    if (absl::IsAborted(end)) {
      options_.log->Add({"lost", lease.id(), end.message()});
      return;
    }
    if (!IsPassing(end)) {
      // A report was refused: the test or the coordinator is wrong.
      options_.log->Add({"refused", lease.id(), end.ToString()});
      return;
    }
    absl::SleepFor(kRetryPause);
  }
}

}  // namespace assay::chaos
