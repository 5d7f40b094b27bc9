// What workers may send about leases, in any order, on a store in memory: each
// input is a sequence of steps by two workers, some of which lie. Whatever they
// do: a job has one outcome and one trace at most, fences and acknowledged
// numbers never go back, and nobody has a job that another one holds.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/file.h"
#include "server/blob/blob_store.h"
#include "server/catalog/catalog.h"
#include "server/catalog/samples_testing.h"
#include "server/evaluation/submissions.h"
#include "server/lease/leases.h"
#include "server/lease/presence.h"
#include "server/lease/reports.h"
#include "server/store/migrations.h"
#include "server/store/session.h"
#include "server/store/sqlite.h"
#include "tests/fuzz/fuzz_check.h"

namespace assay {
namespace {

constexpr const char* kWorkers[] = {"worker-a", "worker-b"};

// Bytes of the input, one after the other; zeros at the end.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  uint8_t Next() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  // The next byte says how many.
  std::string Some() {
    const size_t count = std::min<size_t>(Next(), size_);
    std::string some(reinterpret_cast<const char*>(data_), count);
    data_ += count;
    size_ -= count;
    return some;
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

// A migrated database with a definition and workloads, shared by all inputs.
class Fixture {
 public:
  Fixture()
      : folder_(TempDir::Create("assay-fuzz-").value()),
        blobs_(BlobStore::Open(folder_.path() + "/blobs").value()),
        database_(Database::Open(":memory:", Database::Mode::kReadWriteCreate)
                      .value()) {
    // A database in memory has no WAL, which is all that Migrate adds to these.
    for (const Migration& migration : BuiltInMigrations()) {
      FuzzCheck(database_->Execute(migration.sql).ok(), migration.name);
    }
    Transaction transaction = Transaction::Begin(*database_).value();
    Session session(*database_, changes_, 1);
    FuzzCheck(CreateDefinition(session, SampleDefinition()).ok(), "definition");
    for (const char* uuid : {"w1", "w2", "w3"}) {
      FuzzCheck(
          CreateWorkload(session, "scale_d64", SampleWorkload(uuid), *blobs_)
              .ok(),
          "workload");
    }
    FuzzCheck(transaction.Commit().ok(), "commit");
  }

  Database& database() { return *database_; }
  int64_t& changes() { return changes_; }

 private:
  TempDir folder_;
  std::unique_ptr<BlobStore> blobs_;
  std::unique_ptr<Database> database_;
  int64_t changes_ = 0;
};

// One input, within a transaction that is rolled back at the end.
class Play {
 public:
  Play(Fixture& fixture, Bytes bytes)
      : fixture_(fixture),
        transaction_(Transaction::Begin(fixture.database()).value()),
        bytes_(bytes) {}

  void Run() {
    constexpr int kMaxSteps = 100;
    for (int i = 0; i < kMaxSteps && !bytes_.empty(); ++i) {
      Step();
      CheckJobs();
    }
  }

 private:
  struct Seen {
    int64_t fence = 0;
    v1::JobState state = v1::QUEUED;
    std::string trace_id;
  };

  // As the store's writer: undone when it fails.
  template <typename Work>
  auto Do(Work work) {
    Savepoint savepoint = Savepoint::Begin(fixture_.database()).value();
    Session session(fixture_.database(), fixture_.changes(),
                    absl::ToUnixMicros(clock_.Now()));
    auto result = work(session);
    if (result.ok()) {
      FuzzCheck(savepoint.Release().ok(), "release");
    } else {
      FuzzCheck(
          !absl::IsInternal(result.status()),
          absl::StrCat("no invariant breaks: ", result.status().ToString()));
    }
    return result;
  }

  void Step() {
    switch (bytes_.Next() % 8) {
      case 0:
        return Submit();
      case 1:
        return Register();
      case 2:
        return Acquire();
      case 3:
        return Expire();
      case 4:
        return Cancel();
      default:
        return Report();
    }
  }

  void Submit() {
    v1::CreateSubmissionRequest request;
    *request.mutable_solution() =
        SampleSolution(absl::StrCat("solution_", bytes_.Next() % 2));
    const auto made = Do(
        [&](Session& session) { return CreateSubmission(session, request); });
    if (made.ok()) submissions_.push_back(made->id());
  }

  void Register() {
    const int worker = bytes_.Next() % 2;
    v1::RegisterWorkerRequest request;
    request.set_worker_id(kWorkers[worker]);
    request.set_session_id(absl::StrCat("session-", bytes_.Next() % 4));
    *request.mutable_device() = SampleDevice();
    presence_.Touch(kWorkers[worker]);
    const auto done =
        Do([&](Session& session) { return RegisterWorker(session, request); });
    if (done.ok()) sessions_[worker] = request.session_id();
  }

  void Acquire() {
    const int worker = bytes_.Next() % 2;
    v1::AcquireLeaseRequest request;
    request.set_worker_id(kWorkers[worker]);
    request.set_session_id(sessions_[worker]);
    request.set_max_jobs(bytes_.Next() % 4);
    request.set_request_id(absl::StrCat("request-", bytes_.Next() % 8));
    presence_.Touch(kWorkers[worker]);
    const auto lease = Do([&](Session& session) {
      return AcquireLease(session, request, presence_);
    });
    if (lease.ok() && lease->response.has_lease()) {
      leases_.push_back(lease->response.lease());
    }
  }

  void Expire() {
    clock_.Advance(absl::Seconds(bytes_.Next()));
    if (leases_.empty()) return;
    const std::string id = Lease().id();
    Do([&](Session& session) { return ExpireLease(session, id, presence_); })
        .status()
        .IgnoreError();
  }

  void Cancel() {
    if (submissions_.empty()) return;
    const std::string id = submissions_[bytes_.Next() % submissions_.size()];
    Do([&](Session& session) { return CancelSubmission(session, id); })
        .status()
        .IgnoreError();
  }

  const v1::Lease& Lease() { return leases_[bytes_.Next() % leases_.size()]; }

  // A report that fits a lease, but for what the input changes in it.
  v1::LeaseReport Compose() {
    v1::LeaseReport report;
    const int worker = bytes_.Next() % 2;
    report.set_worker_id(kWorkers[worker]);
    report.set_session_id(sessions_[worker]);
    v1::LeasedJob job;
    if (!leases_.empty()) {
      const v1::Lease& lease = Lease();
      report.set_lease_id(lease.id());
      // One that is given out again has no jobs when they have ended meanwhile.
      const int index = bytes_.Next();
      if (lease.jobs_size() > 0) job = lease.jobs(index % lease.jobs_size());
      int64_t& number = numbers_[lease.id()];
      report.set_number(number + bytes_.Next() % 3);
    }
    const int64_t fence = job.fence() + bytes_.Next() % 2;
    switch (bytes_.Next() % 6) {
      case 0:
        report.set_number(0);
        report.mutable_accept();
        break;
      case 1:
        report.mutable_stage()->set_job_id(job.job_id());
        report.mutable_stage()->set_fence(fence);
        report.mutable_stage()->set_stage(
            static_cast<v1::JobStage>(bytes_.Next()));
        break;
      case 2:
        report.mutable_completed()->set_job_id(job.job_id());
        report.mutable_completed()->set_fence(fence);
        *report.mutable_completed()->mutable_evaluation() = SampleEvaluation();
        break;
      case 3:
        report.mutable_failed()->set_job_id(job.job_id());
        report.mutable_failed()->set_fence(fence);
        report.mutable_failed()->set_retryable(bytes_.Next() % 2 != 0);
        break;
      case 4:
        report.mutable_finished();
        break;
      default:
        break;
    }
    // Bytes as they may come from the wire, over what is there.
    if (bytes_.Next() % 4 == 0) {
      v1::LeaseReport raw;
      if (raw.ParsePartialFromString(bytes_.Some())) report.MergeFrom(raw);
    }
    return report;
  }

  void Report() {
    const v1::LeaseReport report = Compose();
    // What the service refuses before the store hears of it.
    if (report.report_case() == v1::LeaseReport::REPORT_NOT_SET ||
        report.has_heartbeat()) {
      return;
    }
    const auto outcome =
        Do([&](Session& session) { return ApplyReport(session, report); });
    if (!outcome.ok()) return;
    int64_t& number = numbers_[report.lease_id()];
    FuzzCheck(outcome->acknowledged >= number, "acknowledged never goes back");
    number = outcome->acknowledged;
  }

  void CheckJobs() {
    Session session(fixture_.database(), fixture_.changes(), 1);
    for (const std::string& submission : submissions_) {
      const auto jobs =
          session.jobs().List(submission, Paging::Parse(0, "", {}).value());
      FuzzCheck(jobs.ok() && jobs->jobs_size() == 3, "no job is lost");
      for (const v1::Job& job : jobs->jobs()) {
        const auto row = session.jobs().Find(job.id());
        FuzzCheck(row.ok() && row->has_value(), "a listed job can be found");
        CheckJob(**row);
      }
    }
    const auto traces =
        session.traces().List({}, Paging::Parse(1000, "", {}).value());
    FuzzCheck(traces.ok(), "traces can be listed");
    int completed = 0;
    for (const auto& [id, seen] : seen_)
      completed += seen.state == v1::COMPLETED;
    FuzzCheck(traces->traces_size() == completed,
              "each completed job has a trace, and no other has one");
  }

  void CheckJob(const JobRow& row) {
    Seen& seen = seen_[row.job.id()];
    FuzzCheck(row.fence >= seen.fence, "fences never go back");
    const bool ended = seen.state == v1::COMPLETED ||
                       seen.state == v1::FAILED || seen.state == v1::CANCELLED;
    FuzzCheck(!ended || row.job.state() == seen.state, "an outcome is final");
    FuzzCheck(seen.trace_id.empty() || row.job.trace_id() == seen.trace_id,
              "a trace is never replaced");
    seen = {row.fence, row.job.state(), row.job.trace_id()};
  }

  Fixture& fixture_;
  // Rolls back: the next input finds what this one found.
  Transaction transaction_;
  Bytes bytes_;
  FakeClock clock_;
  Presence presence_{clock_, absl::Seconds(30)};
  std::string sessions_[2];
  std::vector<std::string> submissions_;
  std::vector<v1::Lease> leases_;
  // Latest acknowledged number by lease.
  std::map<std::string, int64_t> numbers_;
  std::map<std::string, Seen> seen_;
};

}  // namespace
}  // namespace assay

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static assay::Fixture& fixture = *new assay::Fixture();
  assay::Play(fixture, assay::Bytes(data, size)).Run();
  return 0;
}
