#include "server/simulation/simulated_coordinator.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "server/catalog/catalog.h"
#include "server/catalog/samples_testing.h"
#include "server/evaluation/submissions.h"
#include "server/lease/admissions.h"
#include "server/lease/leases.h"
#include "server/lease/reports.h"
#include "server/store/migrations.h"

namespace assay {
namespace {

// In memory where there is such a folder: nothing here tests the disk.
TempDir MakeFolder() {
  constexpr char kMemory[] = "/dev/shm";
  if (access(kMemory, W_OK) == 0) {
    absl::StatusOr<TempDir> folder = TempDir::CreateIn(kMemory, "assay-sim-");
    if (folder.ok()) return *std::move(folder);
  }
  return TempDir::Create("assay-sim-").value();
}

// What fails here is no finding, and nothing goes on without it.
void Must(const absl::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "simulation: %s\n", status.ToString().c_str());
  std::abort();
}

}  // namespace

SimulatedCoordinator::SimulatedCoordinator(FakeClock& clock)
    : clock_(clock),
      folder_(MakeFolder()),
      blobs_(BlobStore::Open(folder_.path() + "/blobs").value()) {
  OpenStore();
  Must(Write<bool>([&](Session& session) -> absl::StatusOr<bool> {
         Must(CreateDefinition(session, SampleDefinition()).status());
         for (const char* uuid : {"w0", "w1", "w2", "w3", "w4", "w5"}) {
           Must(CreateWorkload(session, "scale_d64", SampleWorkload(uuid),
                               *blobs_)
                    .status());
         }
         return true;
       }).status());
  Restart();
}

void SimulatedCoordinator::OpenStore() {
  const std::string path = folder_.path() + "/assay.db";
  database_ = Database::Open(path, Database::Mode::kReadWriteCreate).value();
  Must(Migrate(*database_, BuiltInMigrations(), "assay.db"));
  counter_ = JobTable::LatestChange(*database_).value();
}

// As StoreWriter runs a unit of work, and Coordinator::OnCommit tells of it.
template <typename T, typename Work>
absl::StatusOr<T> SimulatedCoordinator::Write(Work work) {
  Transaction transaction = Transaction::Begin(*database_).value();
  Session session(*database_, counter_, absl::ToUnixMicros(clock_.Now()));
  absl::StatusOr<T> result = work(session);
  if (std::exchange(fail_next_commit_, false)) {
    return absl::ResourceExhaustedError("store: disk is full");
  }
  if (!result.ok()) return result;
  Must(transaction.Commit());
  Effects effects = session.TakeEffects();
  if (monitor_ != nullptr) {
    monitor_->Cancel(effects.cancelled);
    for (const std::string& lease : effects.revoked_leases) {
      monitor_->Lose(lease);
    }
    for (const std::string& lease : effects.drained_leases) {
      monitor_->Drain(lease);
    }
  }
  effects_.Append(std::move(effects));
  return result;
}

void SimulatedCoordinator::Restart() {
  for (const auto& stream : streams_) {
    stream->End(absl::UnavailableError("the coordinator is gone"));
  }
  streams_.clear();
  database_.reset();
  OpenStore();
  presence_ = std::make_unique<Presence>(clock_, kTtl);
  monitor_ = std::make_unique<LeaseMonitor>(clock_, kTtl);
  const auto leases =
      Read([](Session& session) { return session.leases().AllActive(); });
  for (const LeaseRow& lease : leases.value()) {
    presence_->Touch(lease.worker_id);
    monitor_->Start(lease.id);
  }
}

absl::StatusOr<v1::Submission> SimulatedCoordinator::Submit(
    const v1::CreateSubmissionRequest& request) {
  return Write<v1::Submission>(
      [&](Session& session) { return CreateSubmission(session, request); });
}

absl::StatusOr<v1::Submission> SimulatedCoordinator::Cancel(
    const std::string& submission_id) {
  return Write<v1::Submission>([&](Session& session) {
    return CancelSubmission(session, submission_id);
  });
}

absl::Status SimulatedCoordinator::Decide(Verb verb,
                                          const std::string& worker_id) {
  return Write<v1::WorkerRecord>(
             [&](Session& session) { return verb(session, worker_id); })
      .status();
}

absl::Status SimulatedCoordinator::Register(
    const v1::RegisterWorkerRequest& request) {
  const absl::StatusOr<bool> registered = Write<bool>(
      [&](Session& session) { return RegisterWorker(session, request); });
  if (registered.ok()) presence_->SetUnwell(request.worker_id(), "");
  return registered.status();
}

absl::StatusOr<v1::AcquireLeaseResponse> SimulatedCoordinator::Acquire(
    const v1::AcquireLeaseRequest& request, bool there) {
  absl::StatusOr<Acquired> acquired = Write<Acquired>([&](Session& session) {
    return AcquireLease(session, request, *presence_);
  });
  if (!acquired.ok()) return acquired.status();
  presence_->SetUnwell(request.worker_id(), request.unwell_reason());
  presence_->NoteClass(request.worker_id(), acquired->device_class);
  const v1::AcquireLeaseResponse& response = acquired->response;
  if (!response.has_lease()) return response;
  presence_->NoteLease(request.worker_id(),
                       response.lease().definition().name(),
                       response.lease().solution_digest(), acquired->preferred);
  const std::string& id = response.lease().id();
  lease_order_.try_emplace(id, lease_order_.size());
  if (there) {
    monitor_->Start(id);
    return response;
  }
  const absl::StatusOr<bool> expired = Write<bool>(
      [&](Session& session) { return ExpireLease(session, id, *presence_); });
  if (!expired.ok()) monitor_->Start(id);
  return absl::CancelledError("cancelled");
}

std::shared_ptr<SimulatedStream> SimulatedCoordinator::Connect() {
  streams_.erase(std::remove_if(streams_.begin(), streams_.end(),
                                [](const auto& stream) {
                                  return stream->end.has_value();
                                }),
                 streams_.end());
  streams_.push_back(std::make_shared<SimulatedStream>(*presence_, *monitor_));
  return streams_.back();
}

bool SimulatedCoordinator::Receive(
    const std::shared_ptr<SimulatedStream>& stream) {
  if (stream->to_coordinator.empty() || stream->end.has_value()) return false;
  const v1::LeaseReport report = std::move(stream->to_coordinator.front());
  stream->to_coordinator.pop_front();
  LeaseConversation& conversation = stream->conversation();
  if (!conversation.Receive(report, stream)) return false;
  absl::StatusOr<ReportOutcome> outcome = Write<ReportOutcome>(
      [&](Session& session) { return ApplyReport(session, report); });
  const bool stored = outcome.ok();
  conversation.OnStored(report, std::move(outcome));
  if (stream->end.has_value()) conversation.OnEnd(stream.get());
  return stored;
}

void SimulatedCoordinator::Tick() {
  std::vector<std::string> expired = monitor_->TakeExpired();
  std::sort(expired.begin(), expired.end(),
            [this](const std::string& a, const std::string& b) {
              return lease_order_[a] < lease_order_[b];
            });
  for (const std::string& id : expired) {
    const absl::StatusOr<bool> ended = Write<bool>(
        [&](Session& session) { return ExpireLease(session, id, *presence_); });
    if (!ended.ok()) monitor_->Start(id);
  }
  std::vector<LeaseMonitor::Cancelled> unstopped = monitor_->TakeUnstopped();
  std::sort(unstopped.begin(), unstopped.end(),
            [this](const auto& a, const auto& b) {
              return lease_order_[a.lease_id] < lease_order_[b.lease_id];
            });
  for (const LeaseMonitor::Cancelled& job : unstopped) {
    const absl::StatusOr<bool> done = Write<bool>([&](Session& session) {
      return QuarantineHolder(session, job.lease_id, job.job_id);
    });
    if (!done.ok()) monitor_->NoteTold(job.lease_id, job.job_id);
  }
}

}  // namespace assay
