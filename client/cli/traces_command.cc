#include "client/cli/traces_command.h"

#include <memory>
#include <string>
#include <vector>

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
  LimitFlag limit;
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

absl::StatusOr<ExitCode> List(const ListFlags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  v1::ListTracesRequest filter;
  filter.set_definition(flags.definition);
  filter.set_solution(flags.solution);
  filter.set_workload_uuid(flags.workload);
  filter.set_submission_id(flags.submission);
  filter.set_hardware(flags.hardware);
  filter.set_status(StatusOf(flags.status));
  return PrintList<v1::TraceRecord>(
      context, client->ListTraces(filter), flags.limit, "traces",
      Table({{"id"},
             {"status"},
             {"solution", Table::kLeft, true},
             {"workload", Table::kLeft, true},
             {"latency", Table::kRight},
             {"speed-up", Table::kRight},
             {"hardware"}}),
      [](const v1::TraceRecord& record) -> std::vector<std::string> {
        const v1::Evaluation& evaluation = record.trace().evaluation();
        const v1::Performance& performance = evaluation.performance();
        return {record.id(),
                StatusWord(evaluation.status()),
                record.trace().solution(),
                WorkloadLabel(record.trace().workload()),
                FormatLatency(performance.latency_ms()),
                FormatSpeedup(performance.speedup_factor()),
                evaluation.environment().hardware()};
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

}  // namespace

void AddTracesCommand(Command root, CommandContext& context) {
  Command group = root.AddGroup("traces", "Show results");

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
}

}  // namespace assay
