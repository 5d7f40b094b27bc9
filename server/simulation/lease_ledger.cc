#include "server/simulation/lease_ledger.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/lease/job_transitions.h"

namespace assay {
namespace {

// More than a submission of the simulation has.
constexpr int kAllJobs = 1000;

bool IsWaiting(const JobRow& row) {
  return row.job.state() == v1::QUEUED && !row.held;
}

}  // namespace

template <typename... Parts>
void LeaseLedger::Fault(const Parts&... parts) {
  if (fault_.empty()) fault_ = absl::StrCat(parts...);
}

void LeaseLedger::NoteSubmission(const v1::Submission& submission) {
  submissions_.emplace(submission.id(), submission);
}

bool LeaseLedger::IsLeased(const v1::Lease& lease) const {
  return std::any_of(jobs_.begin(), jobs_.end(), [&](const auto& entry) {
    return entry.second.lease_id == lease.id();
  });
}

void LeaseLedger::NoteLease(const v1::Lease& lease,
                            const SimulatedWorker& worker) {
  // `jobs_` is how it was before.
  std::set<std::string> leased;
  int64_t last_place = 0;
  std::string submission;
  for (const v1::LeasedJob& job : lease.jobs()) {
    const auto known = jobs_.find(job.job_id());
    if (known == jobs_.end()) return Fault("unknown job ", job.job_id());
    const JobRow& row = known->second;
    if (!IsWaiting(row)) Fault("job ", job.job_id(), " did not wait");
    if (job.fence() <= row.fence) Fault("fence of ", job.job_id(), " is old");
    if (!submission.empty() && row.job.submission_id() != submission) {
      Fault("lease ", lease.id(), " is of two submissions");
    }
    submission = row.job.submission_id();
    leased.insert(job.job_id());
    last_place = std::max(last_place, row.seq);
    if (row.job.hardware_size() > 0 &&
        row.job.hardware(0) != worker.device.kind()) {
      Fault("job ", job.job_id(), " does not fit ", worker.id);
    }
  }
  const auto holder = coordinator_.Read(
      [&](Session& session) { return session.workers().Find(worker.id); });
  if ((*holder)->admission != Admission::kOpen) {
    Fault("worker ", worker.id, " is held back and got lease ", lease.id());
  }
  if (leased.empty()) return Fault("lease ", lease.id(), " is empty");
  for (const auto& [id, row] : jobs_) {
    if (row.job.submission_id() == submission && IsWaiting(row) &&
        row.seq < last_place && leased.count(id) == 0 &&
        row.avoid_worker != worker.id) {
      Fault("job ", id, " lost its place");
    }
  }
}

void LeaseLedger::NoteStored(const v1::LeaseReport& report) {
  if (report.number() == 0) return;
  const auto [it, added] =
      stored_.try_emplace({report.lease_id(), report.number()}, report);
  if (!added || !report.has_completed()) return;
  const v1::LeaseReport::Completed& completed = report.completed();
  const JobRow& before = jobs_[completed.job_id()];
  if (IsEnded(before.job.state()) || before.fence != completed.fence()) return;
  const auto after = coordinator_.Read([&](Session& session) {
    return session.jobs().Find(completed.job_id());
  });
  if ((*after)->job.state() != v1::COMPLETED) {
    Fault("evaluation of ", completed.job_id(), " is lost");
  }
}

void LeaseLedger::NoteAcknowledged(const v1::LeaseReport& report) {
  const auto stored = stored_.find({report.lease_id(), report.number()});
  if (stored == stored_.end()) {
    return Fault("report ", report.number(), " of ", report.lease_id(),
                 " was acknowledged, but never stored");
  }
  if (stored->second.SerializeAsString() != report.SerializeAsString()) {
    Fault("another report ", report.number(), " of ", report.lease_id(),
          " is stored");
  }
}

void LeaseLedger::Check(bool thoroughly) {
  const Effects effects = coordinator_.TakeEffects();
  CheckEvents(effects);
  std::set<std::string> changed;
  for (const SubmissionChange& change : effects.changes) {
    changed.insert(change.event.submission_id());
  }
  for (const auto& [id, submission] : submissions_) {
    if (thoroughly || changed.count(id) > 0 || jobs_.empty()) {
      CheckSubmission(id);
    }
  }
  CheckHolders();
}

void LeaseLedger::CheckEvents(const Effects& effects) {
  for (const SubmissionChange& change : effects.changes) {
    if (change.change_seq <= last_change_) Fault("a change went back");
    last_change_ = change.change_seq;
    if (!change.event.has_done()) continue;
    if (!done_.insert(change.event.submission_id()).second) {
      Fault("submission ", change.event.submission_id(), " ended twice");
    }
  }
}

void LeaseLedger::CheckSubmission(const std::string& id) {
  const auto rows = coordinator_.Read([&](Session& session) {
    return session.jobs().ChangedSince(id, 0, kAllJobs);
  });
  bool ended = true;
  for (const JobRow& row : *rows) {
    CheckJob(row);
    ended = ended && IsEnded(row.job.state());
    jobs_[row.job.id()] = row;
  }
  if (ended != (done_.count(id) > 0) && !rows->empty()) {
    Fault("the end of submission ", id, " was told wrongly");
  }
}

void LeaseLedger::CheckJob(const JobRow& row) {
  const std::string& id = row.job.id();
  if (row.failures > kMaxFailures) Fault("job ", id, " failed too often");
  if (row.job.state() == v1::RUNNING && !row.held) {
    Fault("job ", id, " runs in no lease");
  }
  if (row.job.state() == v1::COMPLETED &&
      traces_.count(row.job.trace_id()) == 0) {
    CheckTrace(row);
  }
  if (row.job.state() != v1::COMPLETED && !row.job.trace_id().empty()) {
    Fault("job ", id, " has a trace without having completed");
  }
  const auto known = jobs_.find(id);
  if (known == jobs_.end()) return;
  const JobRow& before = known->second;
  if (row.seq != before.seq) Fault("job ", id, " has another place");
  if (row.fence < before.fence) Fault("fence of ", id, " went back");
  if (row.job.attempt() < before.job.attempt()) {
    Fault("attempt of ", id, " went back");
  }
  if (IsEnded(before.job.state()) &&
      before.job.SerializeAsString() != row.job.SerializeAsString()) {
    Fault("job ", id, " had ended, and changed");
  }
}

void LeaseLedger::CheckTrace(const JobRow& row) {
  const auto record = coordinator_.Read([&](Session& session) {
    return session.traces().Get(row.job.trace_id());
  });
  if (!record.ok()) return Fault("trace of ", row.job.id(), " is missing");
  traces_.insert(row.job.trace_id());
  if (record->job_id() != row.job.id()) {
    Fault("trace ", record->id(), " is of another job");
  }
  const bool reported =
      std::any_of(stored_.begin(), stored_.end(), [&](const auto& entry) {
        const v1::LeaseReport& report = entry.second;
        return report.completed().job_id() == row.job.id() &&
               report.completed().fence() == row.fence &&
               report.completed().evaluation().log() ==
                   record->trace().evaluation().log();
      });
  if (!reported) Fault("nobody reported the trace of ", row.job.id());
}

void LeaseLedger::CheckHolders() {
  struct Holders {
    std::map<std::string, LeaseRow> leases;
    std::map<std::string, std::string> sessions;
  };
  const Holders holders = coordinator_.Read([](Session& session) {
    Holders result;
    const auto leases = session.leases().AllActive();
    for (const LeaseRow& lease : *leases) result.leases[lease.id] = lease;
    const auto workers = session.workers().All();
    for (const WorkerRow& worker : *workers) {
      result.sessions[worker.record.worker_id()] = worker.session_id;
    }
    return result;
  });
  for (const auto& [id, lease] : holders.leases) {
    const auto current = holders.sessions.find(lease.worker_id);
    if (current == holders.sessions.end() ||
        current->second != lease.session_id) {
      Fault("lease ", id, " is active for a process that was replaced");
    }
  }
  for (const auto& [id, row] : jobs_) {
    if (!row.held) continue;
    if (IsEnded(row.job.state())) Fault("job ", id, " has ended and is held");
    if (holders.leases.count(row.lease_id) == 0) {
      Fault("job ", id, " is held by ", row.lease_id, ", which is not active");
    }
  }
}

void LeaseLedger::CheckNothingIsHeld() {
  for (const auto& [id, row] : jobs_) {
    if (row.held) Fault("job ", id, " is held by a worker that fell silent");
  }
}

void LeaseLedger::CheckEnd() {
  Check(/*thoroughly=*/true);
  for (const auto& [id, row] : jobs_) {
    if (!IsEnded(row.job.state())) Fault("job ", id, " did not end");
  }
  v1::ListTracesRequest request;
  const auto traces = coordinator_.Read([&](Session& session) {
    return session.traces().List(request,
                                 Paging::Parse(kAllJobs, "", {}).value());
  });
  if (traces->traces_size() !=
      static_cast<int>(std::min<size_t>(traces_.size(), kAllJobs))) {
    Fault(traces->traces_size(), " traces are stored for ", traces_.size(),
          " completed jobs");
  }
}

}  // namespace assay
