#include "server/lease/admissions.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "server/lease/leases.h"

namespace assay {
namespace {

constexpr size_t kMaxReasonBytes = 1000;
constexpr char kDefaultReason[] = "by an operator";

absl::StatusOr<WorkerRow> Find(Session& session, absl::string_view worker_id) {
  ASSAY_ASSIGN_OR_RETURN(absl::optional<WorkerRow> row,
                         session.workers().Find(worker_id));
  if (row.has_value()) return *std::move(row);
  return absl::NotFoundError(
      absl::StrCat("there is no worker \"", worker_id.substr(0, 100),
                   "\": list the workers for the right id"));
}

// Stores it and tells how the worker is then.
absl::StatusOr<v1::WorkerRecord> Set(Session& session, const WorkerRow& row,
                                     Admission admission,
                                     absl::string_view reason) {
  const std::string& id = row.record.worker_id();
  ASSAY_RETURN_IF_ERROR(session.workers().SetAdmission(id, admission, reason));
  if (admission == Admission::kOpen) session.effects().worker_admitted = true;
  ASSAY_ASSIGN_OR_RETURN(WorkerRow changed, Find(session, id));
  return std::move(changed.record);
}

absl::string_view OrDefault(absl::string_view reason) {
  return reason.empty() ? kDefaultReason : reason;
}

}  // namespace

absl::Status CheckReason(absl::string_view reason) {
  if (reason.size() <= kMaxReasonBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("reason has ", reason.size(), " bytes: at most ",
                   kMaxReasonBytes, " are allowed"));
}

absl::StatusOr<v1::WorkerRecord> DrainWorker(Session& session,
                                             absl::string_view worker_id,
                                             absl::string_view reason) {
  ASSAY_ASSIGN_OR_RETURN(const WorkerRow row, Find(session, worker_id));
  if (row.admission == Admission::kQuarantined) {
    return absl::FailedPreconditionError(
        absl::StrCat("worker \"", row.record.worker_id(),
                     "\" is quarantined and gets no jobs: release it first"));
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<LeaseRow> leases,
                         session.leases().ActiveOf(worker_id));
  for (const LeaseRow& lease : leases) {
    session.effects().drained_leases.push_back(lease.id);
  }
  return Set(session, row, Admission::kDrained, OrDefault(reason));
}

absl::StatusOr<v1::WorkerRecord> UndrainWorker(Session& session,
                                               absl::string_view worker_id) {
  ASSAY_ASSIGN_OR_RETURN(const WorkerRow row, Find(session, worker_id));
  if (row.admission == Admission::kQuarantined) {
    return absl::FailedPreconditionError(absl::StrCat(
        "worker \"", row.record.worker_id(), "\" is quarantined (",
        row.record.hold_reason(), "): release it when that is settled"));
  }
  return Set(session, row, Admission::kOpen, "");
}

absl::StatusOr<v1::WorkerRecord> QuarantineWorker(Session& session,
                                                  absl::string_view worker_id,
                                                  absl::string_view reason) {
  ASSAY_ASSIGN_OR_RETURN(const WorkerRow row, Find(session, worker_id));
  ASSAY_RETURN_IF_ERROR(RevokeLeases(session, worker_id));
  return Set(session, row, Admission::kQuarantined, OrDefault(reason));
}

absl::StatusOr<v1::WorkerRecord> ReleaseWorker(Session& session,
                                               absl::string_view worker_id) {
  ASSAY_ASSIGN_OR_RETURN(const WorkerRow row, Find(session, worker_id));
  if (row.admission == Admission::kDrained) {
    return absl::FailedPreconditionError(
        absl::StrCat("worker \"", row.record.worker_id(),
                     "\" is drained, not quarantined: undrain it"));
  }
  return Set(session, row, Admission::kOpen, "");
}

absl::StatusOr<bool> QuarantineHolder(Session& session,
                                      absl::string_view lease_id,
                                      absl::string_view job_id) {
  ASSAY_ASSIGN_OR_RETURN(const absl::optional<LeaseRow> lease,
                         session.leases().Find(lease_id));
  if (!lease.has_value() || lease->state != LeaseState::kActive) return false;
  ASSAY_RETURN_IF_ERROR(
      QuarantineWorker(session, lease->worker_id,
                       absl::StrCat("it did not stop the job ", job_id,
                                    ", which was cancelled"))
          .status());
  return true;
}

}  // namespace assay
