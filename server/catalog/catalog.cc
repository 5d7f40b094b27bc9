#include "server/catalog/catalog.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "schema/digest.h"
#include "schema/problem.h"
#include "schema/validate.h"
#include "server/catalog/definition_diff.h"

namespace assay {
namespace {

absl::Status CheckOwner(const v1::Solution& stored, const v1::Solution& given) {
  if (stored.author() != given.author()) {
    return absl::AlreadyExistsError(
        absl::StrCat("solution \"", given.name(), "\" belongs to the author \"",
                     stored.author(), "\", not \"", given.author(),
                     "\": choose another name"));
  }
  if (stored.definition() != given.definition()) {
    return absl::AlreadyExistsError(absl::StrCat(
        "solution \"", given.name(), "\" implements \"", stored.definition(),
        "\", not \"", given.definition(), "\": choose another name"));
  }
  return absl::OkStatus();
}

absl::Status CheckBlobs(const v1::Workload& workload, const BlobStore& blobs) {
  for (const v1::WorkloadInput& input : workload.inputs()) {
    if (!input.has_safetensors()) continue;
    const v1::SafetensorsInput& file = input.safetensors();
    if (!file.sha256().empty() && blobs.Has(file.sha256())) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "input \"", input.name(), "\" of workload \"", workload.uuid(),
        "\" refers to a file that is not stored (path \"", file.path(),
        "\", sha256 \"", file.sha256(),
        "\"): upload it with PutBlob and set its sha256"));
  }
  return absl::OkStatus();
}

bool SameWorkload(const v1::WorkloadRecord& a, const v1::WorkloadRecord& b) {
  const auto& a_words = a.workload().target_hardware();
  const auto& b_words = b.workload().target_hardware();
  return a.definition() == b.definition() && a.digest() == b.digest() &&
         std::equal(a_words.begin(), a_words.end(), b_words.begin(),
                    b_words.end());
}

}  // namespace

absl::StatusOr<Stored<v1::DefinitionRecord>> CreateDefinition(
    Session& session, const v1::Definition& definition) {
  v1::DefinitionRecord record;
  *record.mutable_definition() = definition;
  record.set_digest(DefinitionDigest(definition));
  record.set_create_time_us(session.now_us());

  absl::StatusOr<v1::DefinitionRecord> stored =
      session.definitions().Get(definition.name());
  if (absl::IsNotFound(stored.status())) {
    ASSAY_RETURN_IF_ERROR(session.definitions().Insert(record));
    return Stored<v1::DefinitionRecord>{std::move(record), true};
  }
  ASSAY_RETURN_IF_ERROR(stored.status());
  if (stored->digest() == record.digest()) {
    return Stored<v1::DefinitionRecord>{*std::move(stored), false};
  }
  return absl::AlreadyExistsError(absl::StrCat(
      "definition \"", definition.name(),
      "\" exists with other content, its field \"",
      FirstDifference(stored->definition(), definition),
      "\" differs: definitions never change, choose another name"));
}

absl::StatusOr<Stored<v1::SolutionRecord>> CreateSolution(
    Session& session, const v1::Solution& solution, OldRevision old) {
  ASSAY_ASSIGN_OR_RETURN(const v1::DefinitionRecord definition,
                         session.definitions().Get(solution.definition()));
  ASSAY_RETURN_IF_ERROR(
      ToStatus(ValidateSolutionFor(solution, definition.definition())));
  v1::SolutionRecord record;
  *record.mutable_solution() = solution;
  record.set_digest(SolutionDigest(solution));
  record.set_create_time_us(session.now_us());

  ASSAY_ASSIGN_OR_RETURN(const absl::optional<v1::SolutionRecord> latest,
                         session.solutions().Find(solution.name(), ""));
  if (latest.has_value()) {
    ASSAY_RETURN_IF_ERROR(CheckOwner(latest->solution(), solution));
  }
  ASSAY_ASSIGN_OR_RETURN(
      absl::optional<v1::SolutionRecord> same,
      session.solutions().Find(solution.name(), record.digest()));
  if (!same.has_value()) {
    ASSAY_RETURN_IF_ERROR(session.solutions().Insert(record));
    return Stored<v1::SolutionRecord>{std::move(record), true};
  }
  if (old == OldRevision::kMakeLatest && latest->digest() != record.digest()) {
    ASSAY_RETURN_IF_ERROR(
        session.solutions().MakeLatest(solution.name(), record.digest()));
  }
  return Stored<v1::SolutionRecord>{*std::move(same), false};
}

absl::StatusOr<Stored<v1::WorkloadRecord>> CreateWorkload(
    Session& session, absl::string_view definition,
    const v1::Workload& workload, const BlobStore& blobs) {
  ASSAY_ASSIGN_OR_RETURN(const v1::DefinitionRecord of,
                         session.definitions().Get(definition));
  ASSAY_RETURN_IF_ERROR(ToStatus(ValidateWorkload(workload, of.definition())));
  ASSAY_RETURN_IF_ERROR(CheckBlobs(workload, blobs));
  v1::WorkloadRecord record;
  record.set_definition(std::string(definition));
  *record.mutable_workload() = workload;
  record.set_digest(WorkloadDigest(workload));
  record.set_create_time_us(session.now_us());

  ASSAY_ASSIGN_OR_RETURN(absl::optional<v1::WorkloadRecord> stored,
                         session.workloads().Find(workload.uuid()));
  if (!stored.has_value()) {
    ASSAY_RETURN_IF_ERROR(session.workloads().Insert(record));
    return Stored<v1::WorkloadRecord>{std::move(record), true};
  }
  if (SameWorkload(*stored, record)) {
    return Stored<v1::WorkloadRecord>{*std::move(stored), false};
  }
  return absl::AlreadyExistsError(absl::StrCat(
      "workload \"", workload.uuid(), "\" exists with other content, for \"",
      stored->definition(), "\": give the new one its own uuid"));
}

}  // namespace assay
