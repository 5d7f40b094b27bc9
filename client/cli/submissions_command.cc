#include "client/cli/submissions_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/fields.h"
#include "client/cli/follow.h"
#include "client/cli/listing.h"
#include "client/cli/queue_text.h"
#include "client/cli/units.h"

namespace assay {
namespace {

struct ListFlags {
  std::string solution;
  bool active = false;
  LimitFlag limit;
};

int Ended(const v1::Submission& submission) {
  return submission.completed() + submission.failed() + submission.cancelled();
}

int Total(const v1::Submission& submission) {
  return Ended(submission) + submission.queued() + submission.running();
}

absl::StatusOr<ExitCode> List(const ListFlags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  v1::ListSubmissionsRequest filter;
  filter.set_solution(flags.solution);
  filter.set_active_only(flags.active);
  return PrintList<v1::Submission>(
      context, client->ListSubmissions(filter), flags.limit, "submissions",
      Table({{"id"},
             {"solution", Table::kLeft, true},
             {"ended", Table::kRight},
             {"running", Table::kRight},
             {"failed", Table::kRight},
             {"created (UTC)"}}),
      [](const v1::Submission& submission) -> std::vector<std::string> {
        return {submission.id(),
                submission.solution(),
                absl::StrCat(Ended(submission), "/", Total(submission)),
                absl::StrCat(submission.running()),
                absl::StrCat(submission.failed()),
                FormatTime(submission.create_time_us())};
      });
}

// What is to be known of a job beside its state.
std::string Remark(const v1::Job& job) {
  switch (job.state()) {
    case v1::RUNNING:
      return v1::JobStage_IsValid(job.stage())
                 ? absl::AsciiStrToLower(v1::JobStage_Name(job.stage()))
                 : "";
    case v1::FAILED:
      return absl::StrCat(job.failure().reason(), ": ",
                          job.failure().message());
    case v1::COMPLETED:
      return job.trace_id();
    default:
      return job.note();
  }
}

void PrintText(const v1::Submission& submission,
               const std::vector<v1::Job>& jobs, const Labels& labels,
               Console& console) {
  Fields fields;
  fields.Add("id", submission.id())
      .Add("solution", submission.solution())
      .Add("definition", submission.definition())
      .Add("author", submission.author())
      .Add("digest", submission.solution_digest())
      .Add("priority", absl::StrCat(submission.priority()))
      .Add("jobs",
           absl::StrCat(submission.queued(), " queued, ", submission.running(),
                        " running, ", submission.completed(), " completed, ",
                        submission.failed(), " failed, ",
                        submission.cancelled(), " cancelled"))
      .Add("created",
           absl::StrCat(FormatTime(submission.create_time_us()), " UTC"));
  if (submission.has_queue()) {
    fields.Add("waiting", QueueText(submission.queue()));
  }
  for (const auto& skipped : submission.skipped()) {
    fields.Add("skipped", absl::StrCat(labels.Workload(skipped.workload_uuid()),
                                       ": ", skipped.reason()));
  }
  console.Print(fields.Render());
  if (jobs.empty()) return;
  Table table({{"job"},
               {"workload", Table::kLeft, true},
               {"state"},
               {"attempt", Table::kRight},
               {"", Table::kLeft, true}});
  for (const v1::Job& job : jobs) {
    table.Add({job.id(), labels.Workload(job.workload_uuid()),
               v1::JobState_IsValid(job.state())
                   ? v1::JobState_Name(job.state())
                   : "UNKNOWN",
               absl::StrCat(job.attempt()), Remark(job)});
  }
  console.Print(absl::StrCat("\n", table.Render(console.width())));
}

absl::StatusOr<ExitCode> Get(const std::string& id, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ASSAY_ASSIGN_OR_RETURN(const v1::Submission submission,
                         client->GetSubmission(id));
  v1::ListJobsRequest filter;
  filter.set_submission_id(id);
  ASSAY_ASSIGN_OR_RETURN(const std::vector<v1::Job> jobs,
                         client->ListJobs(filter).Collect());
  if (context.json) {
    context.PrintJson(Json()
                          .Set("submission", Json(submission))
                          .Set("jobs", JsonArray(jobs)));
    return ExitCode::kOk;
  }
  ASSAY_ASSIGN_OR_RETURN(const Labels labels,
                         LoadLabels(*client, {submission.definition()}));
  PrintText(submission, jobs, labels, context.console);
  return ExitCode::kOk;
}

}  // namespace

void AddSubmissionsCommand(Command root, CommandContext& context) {
  Command group = root.AddGroup("submissions", "Show submissions");

  const auto flags = std::make_shared<ListFlags>();
  Command list = group.AddCommand("list", "List them, newest first");
  list.Text("--solution", flags->solution, "Only of this solution");
  list.Switch("--active", flags->active, "Only those that have not ended");
  flags->limit.AddTo(list);
  FinishCommand(list, context, [flags](CommandContext& invoked) {
    return List(*flags, invoked);
  });

  const auto id = std::make_shared<std::string>();
  Command get = group.AddCommand("get", "Show one, with its jobs");
  get.Required("id", *id, "Its id");
  FinishCommand(get, context,
                [id](CommandContext& invoked) { return Get(*id, invoked); });
}

}  // namespace assay
