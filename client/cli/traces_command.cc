#include "client/cli/traces_command.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/listing.h"
#include "client/cli/trace_text.h"
#include "client/cli/units.h"
#include "schema/json.h"

namespace assay {
namespace {

struct ListFlags {
  std::string definition;
  std::string solution;
  std::string workload;
  std::string submission;
  std::string hardware;
  std::string status;
  bool held = false;
  LimitFlag limit;
};

struct ReviewFlags {
  std::string id;
  std::string reason;
  std::string reviewer;
};

struct GetFlags {
  std::string id;
  bool trace_json = false;
};

std::vector<std::string> StatusWords() {
  std::vector<std::string> words;
  for (int value = v1::PASSED; value <= v1::EvaluationStatus_MAX; ++value) {
    words.push_back(StatusWord(static_cast<v1::EvaluationStatus>(value)));
  }
  return words;
}

// UNSPECIFIED, which means all, for an empty word.
v1::EvaluationStatus StatusOf(const std::string& word) {
  v1::EvaluationStatus status = v1::EVALUATION_STATUS_UNSPECIFIED;
  v1::EvaluationStatus_Parse(word, &status);
  return status;
}

// "PASSED", "PASSED, held".
std::string StatusAndReview(const v1::TraceRecord& record) {
  const std::string review = ReviewWord(record.review_state());
  return absl::StrCat(StatusWord(record.trace().evaluation().status()),
                      review.empty() ? "" : ", ", review);
}

std::string Rules(const v1::Evaluation& evaluation) {
  return absl::StrJoin(evaluation.findings(), " ",
                       [](std::string* out, const v1::Finding& finding) {
                         absl::StrAppend(out, finding.rule());
                       });
}

absl::StatusOr<ExitCode> List(const ListFlags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  v1::ListTracesRequest filter;
  filter.set_definition(flags.definition);
  filter.set_solution(flags.solution);
  filter.set_workload_uuid(flags.workload);
  filter.set_submission_id(flags.submission);
  filter.set_hardware(flags.hardware);
  filter.set_status(StatusOf(flags.status));
  if (flags.held) filter.set_review_state(v1::Review::PENDING);
  return PrintList<v1::TraceRecord>(
      context, client->ListTraces(filter), flags.limit, "traces",
      Table({{"id"},
             {"status"},
             {"solution", Table::kLeft, true},
             {"workload", Table::kLeft, true},
             {"latency", Table::kRight},
             {"speed-up", Table::kRight},
             {"hardware"},
             {"findings", Table::kLeft, true}}),
      [](const v1::TraceRecord& record) -> std::vector<std::string> {
        const v1::Evaluation& evaluation = record.trace().evaluation();
        const v1::Performance& performance = evaluation.performance();
        return {record.id(),
                StatusAndReview(record),
                record.trace().solution(),
                WorkloadLabel(record.trace().workload()),
                FormatLatency(performance.latency_ms()),
                FormatSpeedup(performance.speedup_factor()),
                evaluation.environment().hardware(),
                Rules(evaluation)};
      });
}

absl::StatusOr<ExitCode> Get(const GetFlags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ASSAY_ASSIGN_OR_RETURN(const v1::TraceRecord record,
                         client->GetTrace(flags.id));
  if (flags.trace_json) {
    context.console.Print(TraceToJson(record.trace()));
  } else if (context.json) {
    context.PrintJson(Json(record));
  } else {
    context.console.Print(TraceText(record));
  }
  return ExitCode::kOk;
}

// Who is at the keyboard, as far as the environment knows.
std::string UserName() {
  for (const char* variable : {"USER", "LOGNAME"}) {
    const char* name = std::getenv(variable);
    if (name != nullptr && *name != '\0') return name;
  }
  return "";
}

absl::StatusOr<ExitCode> Review(const ReviewFlags& flags,
                                v1::Review::State decision,
                                CommandContext& context) {
  v1::ReviewTraceRequest request;
  request.set_id(flags.id);
  request.set_decision(decision);
  request.set_reason(flags.reason);
  request.set_reviewer(flags.reviewer.empty() ? UserName() : flags.reviewer);
  if (request.reviewer().empty()) {
    return absl::InvalidArgumentError(
        "nothing says who reviews: name yourself with --by");
  }
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ASSAY_ASSIGN_OR_RETURN(const v1::TraceRecord record,
                         client->ReviewTrace(request));
  if (context.json) {
    context.PrintJson(Json(record));
  } else {
    context.console.Print(absl::StrCat(ReviewWord(record.review_state()), " ",
                                       record.id(), " of ",
                                       record.trace().solution()));
  }
  return ExitCode::kOk;
}

void AddReviewCommand(Command group, CommandContext& context, const char* name,
                      const char* description, v1::Review::State decision) {
  const auto flags = std::make_shared<ReviewFlags>();
  Command command = group.AddCommand(name, description);
  command.Required("id", flags->id, "Its id");
  command.RequiredText("--reason", flags->reason,
                       {"Why; kept beside the trace", "TEXT"});
  command.Text("--by", flags->reviewer,
               {"Who decides (default: $USER)", "NAME"});
  FinishCommand(command, context, [flags, decision](CommandContext& invoked) {
    return Review(*flags, decision, invoked);
  });
}

}  // namespace

void AddTracesCommand(Command root, CommandContext& context) {
  Command group = root.AddGroup("traces", "Show results, and review them");

  const auto flags = std::make_shared<ListFlags>();
  Command list = group.AddCommand("list", "List them, oldest first");
  list.Text("--definition", flags->definition, "Only of this definition");
  list.Text("--solution", flags->solution, "Only of this solution");
  list.Text("--workload", flags->workload, {"Only of this workload", "UUID"});
  list.Text("--submission", flags->submission,
            {"Only of this submission", "ID"});
  list.Text("--hardware", flags->hardware,
            "Only of this device model, e.g. NVIDIA_H200");
  list.Choice("--status", flags->status, StatusWords(),
              "Only with this status");
  list.Switch("--held", flags->held, "Only what waits for a review");
  flags->limit.AddTo(list);
  FinishCommand(list, context, [flags](CommandContext& invoked) {
    return List(*flags, invoked);
  });

  const auto get_flags = std::make_shared<GetFlags>();
  Command get = group.AddCommand("get", "Show one, with its whole log");
  get.Required("id", get_flags->id, "Its id");
  get.Switch("--trace-json", get_flags->trace_json,
             "Print the line of a FlashInfer-Trace .jsonl file");
  FinishCommand(get, context, [get_flags](CommandContext& invoked) {
    return Get(*get_flags, invoked);
  });

  AddReviewCommand(group, context, "approve",
                   "Let a held one rank, after a review", v1::Review::APPROVED);
  AddReviewCommand(group, context, "reject",
                   "Keep one from ranking, after a review",
                   v1::Review::REJECTED);
}

}  // namespace assay
