#include "server/evaluation/submissions.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/random_id.h"
#include "base/status_macros.h"
#include "schema/binding.h"
#include "schema/problem.h"
#include "schema/validate.h"
#include "server/catalog/catalog.h"
#include "server/evaluation/evaluation_config.h"
#include "server/lease/job_transitions.h"
#include "server/scheduler/plan.h"

namespace assay {
namespace {

constexpr size_t kMaxRequestIdLength = 100;
constexpr int kMaxPriority = 100;
constexpr int kMaxHardwareWords = 100;
constexpr size_t kMaxHardwareWordLength = 200;
// All of them are stored in one transaction, which holds up everyone else.
constexpr size_t kMaxCells = 100000;

absl::Status CheckHardware(const v1::CreateSubmissionRequest& request) {
  if (request.hardware_size() > kMaxHardwareWords) {
    return absl::InvalidArgumentError(
        absl::StrCat("hardware has ", request.hardware_size(),
                     " words: at most ", kMaxHardwareWords, " are allowed"));
  }
  for (const std::string& word : request.hardware()) {
    // A line feed would fall apart in the store.
    if (word.empty() || word.size() > kMaxHardwareWordLength ||
        word.find('\n') != std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat(
          "hardware \"", word.substr(0, kMaxHardwareWordLength),
          "\" is not a word for a device: use e.g. cpu, cuda or NVIDIA_H200"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::SolutionRecord> FindSolution(
    Session& session, const v1::CreateSubmissionRequest& request) {
  if (!request.has_solution()) {
    return session.solutions().Get(request.solution_name(), "");
  }
  ASSAY_ASSIGN_OR_RETURN(Stored<v1::SolutionRecord> stored,
                         CreateSolution(session, request.solution()));
  return std::move(stored.record);
}

// All of the definition, or those that the request names, each once.
absl::StatusOr<std::vector<v1::Workload>> FindWorkloads(
    Session& session, const v1::CreateSubmissionRequest& request,
    absl::string_view definition) {
  std::vector<v1::Workload> workloads;
  if (request.workload_uuids().empty()) {
    ASSAY_ASSIGN_OR_RETURN(std::vector<v1::WorkloadRecord> records,
                           session.workloads().AllOf(definition));
    for (v1::WorkloadRecord& record : records) {
      workloads.push_back(std::move(*record.mutable_workload()));
    }
    return workloads;
  }
  absl::flat_hash_set<std::string> seen;
  for (const std::string& uuid : request.workload_uuids()) {
    if (!seen.insert(uuid).second) continue;
    ASSAY_ASSIGN_OR_RETURN(v1::WorkloadRecord record,
                           session.workloads().Get(uuid));
    if (record.definition() != definition) {
      return absl::InvalidArgumentError(
          absl::StrCat("workload \"", uuid, "\" belongs to the definition \"",
                       record.definition(), "\", not \"", definition,
                       "\": name workloads of the solution's definition"));
    }
    workloads.push_back(std::move(*record.mutable_workload()));
  }
  return workloads;
}

HardwareWords RequestedHardware(const v1::CreateSubmissionRequest& request) {
  HardwareWords words;
  absl::flat_hash_set<std::string> seen;
  for (const std::string& word : request.hardware()) {
    if (seen.insert(word).second) words.push_back(word);
  }
  return words;
}

absl::Status CheckCells(size_t workloads, size_t hardware_words) {
  const size_t cells = workloads * std::max<size_t>(hardware_words, 1);
  if (cells <= kMaxCells) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the submission has ", cells, " cells of workload and hardware: at most ",
      kMaxCells,
      " are allowed, name fewer workloads or fewer words of hardware"));
}

}  // namespace

absl::Status CheckSubmission(const v1::CreateSubmissionRequest& request) {
  if (request.request_id().size() > kMaxRequestIdLength) {
    return absl::InvalidArgumentError(absl::StrCat(
        "request_id has ", request.request_id().size(), " characters: at most ",
        kMaxRequestIdLength, " are allowed"));
  }
  if (request.priority() < -kMaxPriority || request.priority() > kMaxPriority) {
    return absl::InvalidArgumentError(
        absl::StrCat("priority \"", request.priority(), "\" is not in ",
                     -kMaxPriority, " to ", kMaxPriority));
  }
  ASSAY_RETURN_IF_ERROR(CheckHardware(request));
  ASSAY_RETURN_IF_ERROR(CheckEvaluationConfig(request.config()));
  if (request.has_solution()) {
    return ToStatus(ValidateSolution(request.solution()));
  }
  if (request.solution_name().empty()) {
    return absl::InvalidArgumentError(
        "solution is missing: give a solution or the solution_name of a stored "
        "one");
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::Submission> CreateSubmission(
    Session& session, const v1::CreateSubmissionRequest& request) {
  ASSAY_ASSIGN_OR_RETURN(
      absl::optional<v1::Submission> repeated,
      session.submissions().FindByRequest(request.request_id()));
  if (repeated.has_value()) return *std::move(repeated);

  ASSAY_ASSIGN_OR_RETURN(const v1::SolutionRecord record,
                         FindSolution(session, request));
  const v1::Solution& solution = record.solution();
  ASSAY_ASSIGN_OR_RETURN(
      const std::vector<v1::Workload> workloads,
      FindWorkloads(session, request, solution.definition()));
  const HardwareWords requested = RequestedHardware(request);
  ASSAY_RETURN_IF_ERROR(CheckCells(workloads.size(), requested.size()));
  Plan plan = PlanJobs(solution, workloads, requested);

  v1::Submission submission;
  submission.set_id(SortableId("sub-"));
  submission.set_definition(solution.definition());
  submission.set_solution(solution.name());
  submission.set_solution_digest(record.digest());
  submission.set_author(solution.author());
  submission.set_priority(request.priority());
  *submission.mutable_config() = request.config();
  submission.set_create_time_us(session.now_us());
  for (v1::Submission::Skipped& skipped : plan.skipped) {
    *submission.add_skipped() = std::move(skipped);
  }
  Requirements requirements;
  requirements.language = solution.spec().language();
  requirements.binding = EffectiveBinding(solution.spec());
  ASSAY_RETURN_IF_ERROR(session.submissions().Insert(
      submission, request.request_id(), requirements));
  for (const PlannedJob& job : plan.jobs) {
    ASSAY_RETURN_IF_ERROR(session.jobs().Insert(
        SortableId("job-"), submission.id(), job.workload_uuid, job.hardware));
  }
  submission.set_queued(static_cast<int>(plan.jobs.size()));
  return submission;
}

absl::StatusOr<v1::Submission> CancelSubmission(Session& session,
                                                absl::string_view id) {
  ASSAY_RETURN_IF_ERROR(session.submissions().Get(id).status());
  ASSAY_ASSIGN_OR_RETURN(std::vector<JobRow> rows, session.jobs().Active(id));
  for (JobRow& row : rows) {
    if (row.held) {
      session.effects().cancelled.push_back({row.lease_id, row.job.id()});
    }
    Cancel(row);
    ASSAY_RETURN_IF_ERROR(session.jobs().Save(row));
  }
  return session.submissions().Get(id);
}

absl::Status AnnotateWaiting(Session& session,
                             const std::vector<KnownWorker>& live,
                             v1::Job& job) {
  if (job.state() != v1::QUEUED) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const Requirements requirements,
                         session.jobs().RequirementsOf(job.id()));
  job.set_note(WaitingNote(requirements, live));
  return absl::OkStatus();
}

}  // namespace assay
