#include "client/cli/submit_all.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/text.h"

namespace assay {

absl::Status SubmitAll(CommandContext& context, Client& client,
                       const Plan& plan,
                       const std::vector<std::string>& hardware,
                       const EvaluationSource& evaluation,
                       const EvaluationSource::OpTypeOf& op_type_of,
                       int priority, SubmitReport& report) {
  for (const PlannedSubmission& planned : plan.submissions) {
    context.console.SetProgress(
        absl::StrCat("submitting ", report.submissions.size() + 1, " of ",
                     plan.submissions.size(), " solutions"));
    v1::CreateSubmissionRequest request;
    *request.mutable_solution() = *planned.solution;
    request.mutable_workload_uuids()->Add(planned.workload_uuids.begin(),
                                          planned.workload_uuids.end());
    request.mutable_hardware()->Add(hardware.begin(), hardware.end());
    ASSAY_ASSIGN_OR_RETURN(
        *request.mutable_config(),
        evaluation.For(planned.solution->definition(), op_type_of));
    request.set_priority(priority);
    const absl::StatusOr<v1::Submission> submission =
        client.CreateSubmission(request);
    if (submission.ok()) {
      report.submissions.push_back(*submission);
      continue;
    }
    if (ExitCodeFor(submission.status()) != ExitCode::kInvalidInput) {
      context.console.ClearProgress();
      return submission.status();
    }
    ++report.refused;
    context.console.Note(Printable(
        absl::StrCat("refused: solution \"", planned.solution->name(),
                     "\": ", std::string(submission.status().message()))));
  }
  context.console.ClearProgress();
  return absl::OkStatus();
}

}  // namespace assay
