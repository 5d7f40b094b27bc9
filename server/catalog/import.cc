#include "server/catalog/import.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "schema/digest.h"
#include "schema/json.h"
#include "schema/problem.h"
#include "schema/validate.h"
#include "server/catalog/catalog.h"

namespace assay {
namespace {

constexpr int kMaxRejections = 1000;
// As many hex digits as RandomId gives.
constexpr size_t kTraceIdDigits = 24;

bool IsWorkloadOnly(const v1::Trace& trace) {
  return trace.solution().empty() && !trace.has_evaluation();
}

// A trace measured elsewhere: kept as it came, named by its content so that a
// second import finds it.
absl::StatusOr<Imported> ImportTrace(Session& session, const v1::Trace& trace) {
  ASSAY_ASSIGN_OR_RETURN(const v1::DefinitionRecord definition,
                         session.definitions().Get(trace.definition()));
  v1::TraceRecord record;
  *record.mutable_trace() = trace;
  record.set_id(absl::StrCat(
      "tra-", Sha256Hex(TraceToJson(trace)).substr(0, kTraceIdDigits)));
  record.set_definition_digest(definition.digest());
  record.set_workload_digest(WorkloadDigest(trace.workload()));
  record.set_imported(true);
  record.set_create_time_us(session.now_us());
  ASSAY_ASSIGN_OR_RETURN(const bool created, session.traces().Insert(record));
  return Imported{ImportKind::kTrace, created};
}

template <typename Record>
absl::StatusOr<Imported> Outcome(ImportKind kind,
                                 const absl::StatusOr<Stored<Record>>& stored) {
  ASSAY_RETURN_IF_ERROR(stored.status());
  return Imported{kind, stored->created};
}

}  // namespace

absl::Status CheckImportItem(const v1::ImportTraceSetRequest& item) {
  switch (item.item_case()) {
    case v1::ImportTraceSetRequest::kDefinition:
      return ToStatus(ValidateDefinition(item.definition()));
    case v1::ImportTraceSetRequest::kSolution:
      return ToStatus(ValidateSolution(item.solution()));
    case v1::ImportTraceSetRequest::kTrace:
      return ToStatus(ValidateTrace(item.trace()));
    case v1::ImportTraceSetRequest::ITEM_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(
      "item is missing: set one of definition, solution and trace");
}

absl::StatusOr<Imported> ImportItem(Session& session,
                                    const v1::ImportTraceSetRequest& item,
                                    const BlobStore& blobs) {
  switch (item.item_case()) {
    case v1::ImportTraceSetRequest::kDefinition:
      return Outcome(ImportKind::kDefinition,
                     CreateDefinition(session, item.definition()));
    case v1::ImportTraceSetRequest::kSolution:
      return Outcome(
          ImportKind::kSolution,
          CreateSolution(session, item.solution(), OldRevision::kLeave));
    case v1::ImportTraceSetRequest::kTrace:
      if (!IsWorkloadOnly(item.trace())) {
        return ImportTrace(session, item.trace());
      }
      return Outcome(ImportKind::kWorkload,
                     CreateWorkload(session, item.trace().definition(),
                                    item.trace().workload(), blobs));
    case v1::ImportTraceSetRequest::ITEM_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("item is missing");
}

bool IsAboutItem(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kFailedPrecondition:
      return true;
    default:
      return false;
  }
}

void Count(const v1::ImportTraceSetRequest& item,
           const absl::StatusOr<Imported>& outcome,
           v1::ImportTraceSetResponse& response) {
  if (!outcome.ok()) {
    response.set_rejected(response.rejected() + 1);
    if (response.rejections_size() >= kMaxRejections) return;
    auto& rejection = *response.add_rejections();
    rejection.set_origin(item.origin());
    rejection.set_message(std::string(outcome.status().message()));
    return;
  }
  if (!outcome->created) {
    response.set_unchanged(response.unchanged() + 1);
    return;
  }
  switch (outcome->kind) {
    case ImportKind::kDefinition:
      response.set_definitions_created(response.definitions_created() + 1);
      break;
    case ImportKind::kSolution:
      response.set_solutions_created(response.solutions_created() + 1);
      break;
    case ImportKind::kWorkload:
      response.set_workloads_created(response.workloads_created() + 1);
      break;
    case ImportKind::kTrace:
      response.set_traces_created(response.traces_created() + 1);
      break;
  }
}

}  // namespace assay
