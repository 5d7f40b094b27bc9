#include "tests/chaos/chaos_submitter.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/random_id.h"
#include "base/status_macros.h"
#include "tests/chaos/retry.h"
#include "tests/load/samples.h"

namespace assay::chaos {
namespace {

constexpr int kWorkloads = 10;
constexpr int kSolutions = 5;
// Of a hundred submissions.
constexpr int kCancels = 5;

using Evaluation = v1::EvaluationService::Stub;
using Catalog = v1::CatalogService::Stub;

}  // namespace

ChaosSubmitter::ChaosSubmitter(Options options)
    : options_(std::move(options)),
      catalog_(v1::CatalogService::NewStub(ConnectPatiently(options_.server))),
      evaluation_(
          v1::EvaluationService::NewStub(ConnectPatiently(options_.server))),
      random_(std::random_device{}()) {}

absl::Status ChaosSubmitter::CreateCatalog() {
  v1::CreateDefinitionRequest definition;
  *definition.mutable_definition() = load::MakeDefinition(0);
  ASSAY_RETURN_IF_ERROR(CallUntilAnswered(*catalog_, &Catalog::CreateDefinition,
                                          definition, options_.patience)
                            .status());
  for (int i = 0; i < kWorkloads; ++i) {
    v1::CreateWorkloadRequest workload;
    workload.set_definition(load::DefinitionName(0));
    *workload.mutable_workload() = load::MakeWorkload(0, i);
    ASSAY_RETURN_IF_ERROR(CallUntilAnswered(*catalog_, &Catalog::CreateWorkload,
                                            workload, options_.patience)
                              .status());
  }
  return absl::OkStatus();
}

absl::Status ChaosSubmitter::Run() {
  while (true) {
    ASSAY_RETURN_IF_ERROR(SubmitOne());
    absl::SleepFor(options_.pause *
                   std::uniform_real_distribution<double>(0, 1)(random_));
  }
}

absl::Status ChaosSubmitter::SubmitOne() {
  v1::CreateSubmissionRequest request;
  request.set_request_id(RandomId("req-"));
  *request.mutable_solution() =
      load::MakeSolution(0, static_cast<int>(random_() % kSolutions),
                         static_cast<int64_t>(random_() % 10));
  ASSAY_ASSIGN_OR_RETURN(
      const v1::Submission submission,
      CallUntilAnswered(*evaluation_, &Evaluation::CreateSubmission, request,
                        options_.patience));
  options_.log->Add({"submitted", submission.id(), request.request_id(),
                     absl::StrCat(kWorkloads)});
  if (random_() % 100 >= kCancels) return absl::OkStatus();
  return Cancel(submission.id());
}

absl::Status ChaosSubmitter::Cancel(const std::string& submission_id) {
  v1::CancelSubmissionRequest request;
  request.set_id(submission_id);
  ASSAY_RETURN_IF_ERROR(CallUntilAnswered(*evaluation_,
                                          &Evaluation::CancelSubmission,
                                          request, options_.patience)
                            .status());
  options_.log->Add({"cancelled", submission_id});
  return absl::OkStatus();
}

absl::Status ChaosSubmitter::AwaitEnd(absl::Duration limit) {
  const absl::Time deadline = absl::Now() + limit;
  v1::ListSubmissionsRequest request;
  request.set_active_only(true);
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(
        const v1::ListSubmissionsResponse active,
        CallUntilAnswered(*evaluation_, &Evaluation::ListSubmissions, request,
                          options_.patience));
    if (active.submissions().empty()) return absl::OkStatus();
    if (absl::Now() > deadline) {
      return absl::DeadlineExceededError(
          absl::StrCat("jobs of submission \"", active.submissions(0).id(),
                       "\" and perhaps others have not ended"));
    }
    absl::SleepFor(kRetryPause);
  }
}

}  // namespace assay::chaos
