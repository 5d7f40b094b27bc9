#include "server/lease/reports.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/random_id.h"
#include "base/status_macros.h"
#include "schema/problem.h"
#include "schema/validate.h"
#include "server/lease/job_transitions.h"

namespace assay {
namespace {

absl::Status LeaseLost(absl::string_view lease_id) {
  return absl::AbortedError(
      absl::StrCat("lease \"", lease_id.substr(0, 100),
                   "\" is lost: drop the work and ask for another lease"));
}

// The lease that the report is about, if it is still the sender's. An expired
// one was not revoked when the worker started anew, so the session is compared
// with the worker's latest too.
absl::StatusOr<LeaseRow> FindLease(Session& session,
                                   const v1::LeaseReport& report) {
  ASSAY_ASSIGN_OR_RETURN(absl::optional<LeaseRow> lease,
                         session.leases().Find(report.lease_id()));
  if (!lease.has_value() || lease->state == LeaseState::kRevoked ||
      lease->worker_id != report.worker_id() ||
      lease->session_id != report.session_id()) {
    return LeaseLost(report.lease_id());
  }
  ASSAY_ASSIGN_OR_RETURN(
      const bool current,
      session.workers().IsCurrent(report.worker_id(), report.session_id()));
  if (!current) return LeaseLost(report.lease_id());
  return *std::move(lease);
}

// The job that a report is about; none when nothing is to be stored for it: it
// has ended already, as one that was cancelled meanwhile, or has gone to
// another lease, of which `outcome` then tells. ABORTED when the lease went
// with it.
absl::StatusOr<absl::optional<JobRow>> FindJob(Session& session,
                                               const LeaseRow& lease,
                                               absl::string_view job_id,
                                               int64_t fence,
                                               ReportOutcome& outcome) {
  ASSAY_ASSIGN_OR_RETURN(absl::optional<JobRow> row,
                         session.jobs().Find(job_id));
  if (!row.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no job \"", job_id.substr(0, 100), "\""));
  }
  if (row->fence != fence || row->lease_id != lease.id) {
    // A lease that was resumed still has its other jobs.
    if (lease.state == LeaseState::kActive) {
      outcome.cancelled_jobs.push_back(row->job.id());
      return absl::optional<JobRow>();
    }
    return absl::AbortedError(absl::StrCat(
        "job \"", row->job.id(), "\" was given to another lease, fence \"",
        fence, "\" is old: drop the work"));
  }
  if (IsEnded(row->job.state())) return absl::optional<JobRow>();
  return row;
}

absl::StatusOr<ReportOutcome> Accept(Session& session, LeaseRow& lease) {
  ReportOutcome outcome;
  outcome.acknowledged = lease.last_number;
  if (lease.state == LeaseState::kFinished) {
    // The stream broke after `finished` was stored: the worker waits for its
    // end, which nothing else would bring.
    outcome.finished = true;
    return outcome;
  }
  ASSAY_ASSIGN_OR_RETURN(const absl::optional<WorkerRow> worker,
                         session.workers().Find(lease.worker_id));
  outcome.drain =
      worker.has_value() && worker->admission == Admission::kDrained;
  // Its leases were taken away; one that had expired is not given back.
  if (worker.has_value() && worker->admission == Admission::kQuarantined) {
    return LeaseLost(lease.id);
  }
  ASSAY_ASSIGN_OR_RETURN(std::vector<JobRow> rows,
                         session.jobs().OfLease(lease.id));
  // Every job that came back from an expired lease has gone to another one.
  if (lease.state == LeaseState::kExpired && rows.empty()) {
    return LeaseLost(lease.id);
  }
  for (JobRow& row : rows) {
    if (row.job.state() == v1::CANCELLED) {
      outcome.cancelled_jobs.push_back(row.job.id());
    }
    if (row.job.state() != v1::QUEUED) continue;
    Start(row);
    ASSAY_RETURN_IF_ERROR(session.jobs().Save(row));
  }
  if (lease.state == LeaseState::kActive) return outcome;
  lease.state = LeaseState::kActive;
  ASSAY_RETURN_IF_ERROR(session.leases().Save(lease));
  return outcome;
}

absl::Status ApplyStage(Session& session, const LeaseRow& lease,
                        const v1::LeaseReport::Stage& stage,
                        ReportOutcome& outcome) {
  ASSAY_ASSIGN_OR_RETURN(
      absl::optional<JobRow> row,
      FindJob(session, lease, stage.job_id(), stage.fence(), outcome));
  if (!row.has_value()) return absl::OkStatus();
  if (!row->held) return LeaseLost(lease.id);
  if (stage.stage() == v1::JOB_STAGE_UNSPECIFIED ||
      !v1::JobStage_IsValid(stage.stage())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "stage.stage \"", static_cast<int>(stage.stage()), "\" is unknown"));
  }
  row->job.set_state(v1::RUNNING);
  row->job.set_stage(stage.stage());
  return session.jobs().Save(*row);
}

absl::StatusOr<v1::TraceRecord> MakeTrace(Session& session,
                                          const LeaseRow& lease,
                                          const v1::Job& job,
                                          const v1::Evaluation& evaluation) {
  ASSAY_ASSIGN_OR_RETURN(
      std::string solution_digest,
      session.submissions().SolutionDigest(job.submission_id()));
  ASSAY_ASSIGN_OR_RETURN(std::string definition_digest,
                         session.definitions().Digest(job.definition()));
  ASSAY_ASSIGN_OR_RETURN(v1::WorkloadRecord workload,
                         session.workloads().Get(job.workload_uuid()));
  v1::TraceRecord record;
  record.set_id(SortableId("tra-"));
  v1::Trace& trace = *record.mutable_trace();
  trace.set_definition(job.definition());
  *trace.mutable_workload() = std::move(*workload.mutable_workload());
  trace.set_solution(job.solution());
  *trace.mutable_evaluation() = evaluation;
  record.set_job_id(job.id());
  record.set_submission_id(job.submission_id());
  record.set_worker(lease.worker_id);
  record.set_definition_digest(std::move(definition_digest));
  record.set_solution_digest(std::move(solution_digest));
  record.set_workload_digest(workload.digest());
  record.set_create_time_us(session.now_us());
  return record;
}

absl::Status ApplyCompleted(Session& session, const LeaseRow& lease,
                            const v1::LeaseReport::Completed& completed,
                            ReportOutcome& outcome) {
  // Finished work is not thrown away: a lease that has expired may still
  // complete a job that nobody took since.
  ASSAY_ASSIGN_OR_RETURN(
      absl::optional<JobRow> row,
      FindJob(session, lease, completed.job_id(), completed.fence(), outcome));
  if (!row.has_value()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(
      v1::TraceRecord record,
      MakeTrace(session, lease, row->job, completed.evaluation()));
  ASSAY_RETURN_IF_ERROR(Annotate(ToStatus(ValidateTrace(record.trace())),
                                 "completed.evaluation"));
  ASSAY_RETURN_IF_ERROR(session.traces().Insert(record).status());
  // For those who watch; what is stored is the trace alone.
  ASSAY_RETURN_IF_ERROR(session.reviews().FillIn(record));
  Complete(*row, record.id());
  return session.jobs().Save(*row, std::move(record));
}

absl::Status ApplyFailed(Session& session, const LeaseRow& lease,
                         const v1::LeaseReport::Failed& failed,
                         ReportOutcome& outcome) {
  ASSAY_ASSIGN_OR_RETURN(
      absl::optional<JobRow> row,
      FindJob(session, lease, failed.job_id(), failed.fence(), outcome));
  if (!row.has_value()) return absl::OkStatus();
  if (!row->held) return LeaseLost(lease.id);
  if (failed.failure().reason().empty()) {
    return absl::InvalidArgumentError(
        "failed.failure.reason is empty: say why there is no verdict");
  }
  FailAttempt(*row, lease.worker_id, failed.failure(), failed.retryable());
  return session.jobs().Save(*row);
}

absl::Status ApplyFinished(Session& session, LeaseRow& lease) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<JobRow> rows,
                         session.jobs().OfLease(lease.id));
  for (JobRow& row : rows) {
    if (!row.held) continue;
    Requeue(row);
    ASSAY_RETURN_IF_ERROR(session.jobs().Save(row));
  }
  lease.state = LeaseState::kFinished;
  return absl::OkStatus();
}

absl::Status ApplyNumbered(Session& session, LeaseRow& lease,
                           const v1::LeaseReport& report,
                           ReportOutcome& outcome) {
  switch (report.report_case()) {
    case v1::LeaseReport::kStage:
      return ApplyStage(session, lease, report.stage(), outcome);
    case v1::LeaseReport::kCompleted:
      return ApplyCompleted(session, lease, report.completed(), outcome);
    case v1::LeaseReport::kFailed:
      return ApplyFailed(session, lease, report.failed(), outcome);
    case v1::LeaseReport::kFinished:
      return ApplyFinished(session, lease);
    case v1::LeaseReport::kStopped:
      // Of interest to the monitor alone.
      return absl::OkStatus();
    default:
      return absl::InvalidArgumentError(
          "report is missing: set one of stage, completed, failed, stopped, "
          "finished");
  }
}

}  // namespace

absl::StatusOr<ReportOutcome> ApplyReport(Session& session,
                                          const v1::LeaseReport& report) {
  ASSAY_ASSIGN_OR_RETURN(LeaseRow lease, FindLease(session, report));
  if (report.has_accept()) return Accept(session, lease);
  ReportOutcome outcome;
  outcome.acknowledged = lease.last_number;
  if (report.number() > 0 && report.number() <= lease.last_number) {
    outcome.finished =
        report.has_finished() && lease.state == LeaseState::kFinished;
    return outcome;
  }
  if (lease.state == LeaseState::kFinished) return LeaseLost(lease.id);
  if (report.number() != lease.last_number + 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "number \"", report.number(), "\" does not follow ", lease.last_number,
        ", the last report stored: send the ones in between first"));
  }
  ASSAY_RETURN_IF_ERROR(ApplyNumbered(session, lease, report, outcome));
  lease.last_number = report.number();
  ASSAY_RETURN_IF_ERROR(session.leases().Save(lease));
  outcome.acknowledged = lease.last_number;
  outcome.finished = report.has_finished();
  return outcome;
}

}  // namespace assay
