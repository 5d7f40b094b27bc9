#include "server/lease/leases.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/random_id.h"
#include "base/status_macros.h"
#include "server/lease/job_transitions.h"
#include "server/scheduler/queue.h"

namespace assay {
namespace {

constexpr int kDefaultMaxJobs = 100;
constexpr int kMaxMaxJobs = 1000;

// Jobs that the leases still have, in the order of the leases.
absl::StatusOr<std::vector<JobRow>> HeldBy(
    Session& session, const std::vector<LeaseRow>& leases) {
  std::vector<JobRow> held;
  for (const LeaseRow& lease : leases) {
    ASSAY_ASSIGN_OR_RETURN(std::vector<JobRow> rows,
                           session.jobs().OfLease(lease.id));
    std::copy_if(std::make_move_iterator(rows.begin()),
                 std::make_move_iterator(rows.end()), std::back_inserter(held),
                 [](const JobRow& row) { return row.held; });
  }
  return held;
}

// The job that may have killed its worker although none of them had begun; null
// when the worker did nothing at all. One has to answer for it, or a build that
// kills workers would be tried for ever.
const JobRow* FindSuspect(const std::vector<JobRow>& held) {
  for (const v1::JobStage stage : {v1::BUILD, v1::WAITING}) {
    const auto found = std::find_if(
        held.begin(), held.end(),
        [stage](const JobRow& row) { return row.job.stage() == stage; });
    if (found != held.end()) return &*found;
  }
  return nullptr;
}

// Takes the leases from their worker, which keeps the leases `kept`; `state`
// says why. To blame is what the worker was at work on, and only without any
// such job one that it prepared: while it measures for one lease, it builds for
// others.
absl::Status TakeBack(Session& session, std::vector<LeaseRow> taken,
                      const std::vector<LeaseRow>& kept, LeaseState state) {
  if (taken.empty()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(std::vector<JobRow> rows, HeldBy(session, taken));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<JobRow> others,
                         HeldBy(session, kept));
  const bool begun = std::any_of(rows.begin(), rows.end(), HasBegun) ||
                     std::any_of(others.begin(), others.end(), HasBegun);
  const JobRow* suspect = begun ? nullptr : FindSuspect(rows);
  for (JobRow& row : rows) {
    LoseAttempt(row, taken.front().worker_id, &row == suspect || HasBegun(row));
    ASSAY_RETURN_IF_ERROR(session.jobs().Save(row));
  }
  for (LeaseRow& lease : taken) {
    lease.state = state;
    session.effects().revoked_leases.push_back(lease.id);
    ASSAY_RETURN_IF_ERROR(session.leases().Save(lease));
  }
  return absl::OkStatus();
}

// What the worker is told; with as many of the jobs, at least one, as a lease
// may have bytes.
absl::StatusOr<v1::Lease> Describe(Session& session, const LeaseRow& row,
                                   const std::vector<JobRow>& jobs) {
  ASSAY_ASSIGN_OR_RETURN(v1::Submission submission,
                         session.submissions().Get(row.submission_id));
  ASSAY_ASSIGN_OR_RETURN(v1::DefinitionRecord definition,
                         session.definitions().Get(submission.definition()));
  ASSAY_ASSIGN_OR_RETURN(v1::SolutionRecord solution,
                         session.solutions().Get(submission.solution(),
                                                 submission.solution_digest()));
  v1::Lease lease;
  lease.set_id(row.id);
  *lease.mutable_definition() = std::move(*definition.mutable_definition());
  lease.set_definition_digest(definition.digest());
  *lease.mutable_solution() = std::move(*solution.mutable_solution());
  lease.set_solution_digest(solution.digest());
  *lease.mutable_config() = std::move(*submission.mutable_config());
  size_t bytes = lease.ByteSizeLong();
  for (const JobRow& job : jobs) {
    ASSAY_ASSIGN_OR_RETURN(v1::WorkloadRecord workload,
                           session.workloads().Get(job.job.workload_uuid()));
    bytes += workload.ByteSizeLong();
    if (lease.jobs_size() > 0 && bytes > kMaxLeaseBytes) break;
    v1::LeasedJob& leased = *lease.add_jobs();
    leased.set_job_id(job.job.id());
    leased.set_fence(job.fence);
    leased.set_attempt(job.job.attempt());
    *leased.mutable_workload() = std::move(*workload.mutable_workload());
    leased.set_workload_digest(workload.digest());
  }
  return lease;
}

absl::StatusOr<WorkerRow> CurrentWorker(Session& session,
                                        absl::string_view worker_id,
                                        absl::string_view session_id) {
  ASSAY_ASSIGN_OR_RETURN(absl::optional<WorkerRow> worker,
                         session.workers().Find(worker_id));
  if (worker.has_value() && worker->session_id == session_id) {
    return *std::move(worker);
  }
  return absl::AbortedError(
      absl::StrCat("this is not the current session of worker \"",
                   worker_id.substr(0, 100), "\": register again"));
}

struct Chosen {
  // First the groups' choice, then the order of the queue.
  std::vector<JobRow> jobs;
  // See Acquired.
  bool passed_over = false;
  bool preferred = false;
};

absl::StatusOr<Chosen> ChooseJobs(Session& session, const WorkerRow& worker,
                                  const Presence& presence, int max_jobs) {
  const KnownWorker known{worker.record.worker_id(), worker.record.device()};
  ASSAY_ASSIGN_OR_RETURN(const std::vector<QueuedGroup> waiting,
                         session.jobs().WaitingGroups());
  Chosen chosen;
  // Others only matter where something failed on this worker.
  std::vector<KnownWorker> live;
  if (std::any_of(waiting.begin(), waiting.end(),
                  [&](const QueuedGroup& group) {
                    return group.avoid_worker == known.id;
                  })) {
    chosen.passed_over = true;
    ASSAY_ASSIGN_OR_RETURN(live, presence.LiveWorkers(session));
  }
  std::vector<JobRow>& jobs = chosen.jobs;
  const GroupChoice choice =
      ChooseGroups(waiting, known, live, presence.HistoryOf(known.id));
  const std::vector<QueuedGroup>& groups = choice.groups;
  chosen.preferred = choice.preferred;
  int64_t total = 0;
  for (const QueuedGroup& group : groups) total += group.jobs;
  max_jobs = static_cast<int>(std::min<int64_t>(
      max_jobs,
      LeaseShare(total, presence.CountLive(DeviceClass(known.device)))));
  for (const QueuedGroup& group : groups) {
    ASSAY_ASSIGN_OR_RETURN(std::vector<JobRow> rows,
                           session.jobs().Waiting(group, max_jobs));
    std::move(rows.begin(), rows.end(), std::back_inserter(jobs));
  }
  std::sort(jobs.begin(), jobs.end(),
            [](const JobRow& a, const JobRow& b) { return a.seq < b.seq; });
  if (jobs.size() > static_cast<size_t>(max_jobs)) jobs.resize(max_jobs);
  if (!groups.empty()) {
    ASSAY_RETURN_IF_ERROR(session.jobs().TakeTurn(groups.front().author));
  }
  return chosen;
}

// Two processes with one id would take each other's leases in turn, until every
// job has failed: the one that was replaced must not come back.
absl::Status CheckNotReplaced(Session& session,
                              const v1::RegisterWorkerRequest& request) {
  ASSAY_ASSIGN_OR_RETURN(
      const bool replaced,
      session.workers().IsReplaced(request.worker_id(), request.session_id()));
  if (!replaced) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("worker id \"", request.worker_id(),
                   "\" is used by a newer process: stop one of them or give it "
                   "another --id"));
}

// The active lease that the same request got before.
absl::StatusOr<absl::optional<LeaseRow>> FindRepeated(
    Session& session, const v1::AcquireLeaseRequest& request) {
  if (request.request_id().empty()) return absl::optional<LeaseRow>();
  ASSAY_ASSIGN_OR_RETURN(std::vector<LeaseRow> leases,
                         session.leases().ActiveOf(request.worker_id()));
  for (LeaseRow& lease : leases) {
    if (lease.request_id == request.request_id() &&
        lease.session_id == request.session_id()) {
      return absl::make_optional(std::move(lease));
    }
  }
  return absl::optional<LeaseRow>();
}

std::string HeldBackReason(const WorkerRow& worker) {
  return absl::StrCat(
      "worker \"", worker.record.worker_id(), "\" is ",
      worker.admission == Admission::kDrained ? "drained" : "quarantined", ": ",
      worker.record.hold_reason());
}

absl::StatusOr<v1::Lease> MakeLease(Session& session,
                                    const v1::AcquireLeaseRequest& request,
                                    std::vector<JobRow> jobs) {
  LeaseRow lease;
  lease.id = SortableId("lea-");
  lease.worker_id = request.worker_id();
  lease.session_id = request.session_id();
  lease.request_id = request.request_id();
  lease.submission_id = jobs.front().job.submission_id();
  ASSAY_RETURN_IF_ERROR(session.leases().Insert(lease, session.now_us()));
  for (JobRow& job : jobs) Assign(job, lease.id);
  ASSAY_ASSIGN_OR_RETURN(v1::Lease described, Describe(session, lease, jobs));
  // The others wait on.
  jobs.resize(static_cast<size_t>(described.jobs_size()));
  for (JobRow& job : jobs) ASSAY_RETURN_IF_ERROR(session.jobs().Save(job));
  return described;
}

}  // namespace

absl::Status RevokeLeases(Session& session, absl::string_view worker_id) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<LeaseRow> leases,
                         session.leases().ActiveOf(worker_id));
  return TakeBack(session, std::move(leases), {}, LeaseState::kRevoked);
}

absl::StatusOr<bool> RegisterWorker(Session& session,
                                    const v1::RegisterWorkerRequest& request) {
  ASSAY_RETURN_IF_ERROR(CheckNotReplaced(session, request));
  ASSAY_ASSIGN_OR_RETURN(const absl::optional<WorkerRow> known,
                         session.workers().Find(request.worker_id()));
  if (known.has_value() && known->session_id != request.session_id()) {
    ASSAY_RETURN_IF_ERROR(session.workers().NoteReplaced(
        known->record.worker_id(), known->session_id));
    ASSAY_RETURN_IF_ERROR(RevokeLeases(session, request.worker_id()));
  }
  ASSAY_RETURN_IF_ERROR(session.workers().Save(request, session.now_us()));
  return !known.has_value();
}

absl::StatusOr<Acquired> AcquireLease(Session& session,
                                      const v1::AcquireLeaseRequest& request,
                                      const Presence& presence) {
  Acquired acquired;
  ASSAY_ASSIGN_OR_RETURN(
      const WorkerRow worker,
      CurrentWorker(session, request.worker_id(), request.session_id()));
  acquired.device_class = DeviceClass(worker.record.device());
  if (!request.unwell_reason().empty()) return acquired;
  ASSAY_ASSIGN_OR_RETURN(const absl::optional<LeaseRow> repeated,
                         FindRepeated(session, request));
  if (repeated.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(std::vector<JobRow> jobs,
                           session.jobs().OfLease(repeated->id));
    jobs.erase(std::remove_if(jobs.begin(), jobs.end(),
                              [](const JobRow& row) { return !row.held; }),
               jobs.end());
    ASSAY_ASSIGN_OR_RETURN(*acquired.response.mutable_lease(),
                           Describe(session, *repeated, jobs));
    return acquired;
  }

  if (worker.admission != Admission::kOpen) {
    acquired.device_class.clear();
    acquired.response.set_held_back_reason(HeldBackReason(worker));
    return acquired;
  }
  const int max_jobs = request.max_jobs() > 0
                           ? std::min(request.max_jobs(), kMaxMaxJobs)
                           : kDefaultMaxJobs;
  ASSAY_ASSIGN_OR_RETURN(Chosen chosen,
                         ChooseJobs(session, worker, presence, max_jobs));
  acquired.passed_over = chosen.passed_over;
  acquired.preferred = chosen.preferred;
  if (chosen.jobs.empty()) return acquired;
  ASSAY_ASSIGN_OR_RETURN(*acquired.response.mutable_lease(),
                         MakeLease(session, request, std::move(chosen.jobs)));
  return acquired;
}

absl::StatusOr<bool> ExpireLease(Session& session, absl::string_view lease_id,
                                 const Presence& presence) {
  ASSAY_ASSIGN_OR_RETURN(const absl::optional<LeaseRow> lease,
                         session.leases().Find(lease_id));
  if (!lease.has_value() || lease->state != LeaseState::kActive) return false;
  ASSAY_ASSIGN_OR_RETURN(std::vector<LeaseRow> taken,
                         session.leases().ActiveOf(lease->worker_id));
  std::vector<LeaseRow> kept;
  if (!presence.IsSilent(lease->worker_id)) {
    const auto others = std::partition(
        taken.begin(), taken.end(),
        [&](const LeaseRow& row) { return row.id == lease->id; });
    std::move(others, taken.end(), std::back_inserter(kept));
    taken.erase(others, taken.end());
  }
  ASSAY_RETURN_IF_ERROR(
      TakeBack(session, std::move(taken), kept, LeaseState::kExpired));
  return true;
}

}  // namespace assay
