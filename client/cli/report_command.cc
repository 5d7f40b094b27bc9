#include "client/cli/report_command.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "client/cli/board_text.h"
#include "client/cli/report_text.h"
#include "client/cli/text.h"
#include "client/report/folder_boards.h"
#include "client/report/folder_summary.h"
#include "client/report/merge.h"
#include "client/report/report_html.h"
#include "schema/trace_set.h"

namespace assay {
namespace {

struct Flags {
  std::vector<std::string> folders;
  std::string output;
  std::string html;
};

// One folder's results.
struct Report {
  std::string root;
  std::vector<v1::Leaderboard> boards;
  FolderSummary summary;
};

absl::StatusOr<std::vector<TraceSet>> ReadAll(
    const std::vector<std::string>& folders) {
  std::vector<TraceSet> sets;
  for (const std::string& folder : folders) {
    ASSAY_ASSIGN_OR_RETURN(TraceSet set, ReadTraceSet(folder));
    sets.push_back(std::move(set));
  }
  return sets;
}

// What could not be read is left out and told.
absl::StatusOr<std::vector<Report>> MakeReports(
    const std::vector<std::string>& folders, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<TraceSet> sets, ReadAll(folders));
  std::vector<Report> reports;
  for (const TraceSet& set : sets) {
    if (!set.problems.empty()) {
      context.console.Note(absl::StrCat(
          Count(static_cast<int64_t>(set.problems.size()), "problem"), " in ",
          set.root, ", what is broken is left out; see assay validate ",
          set.root));
    }
    Report report;
    report.root = set.root;
    report.boards = FolderBoards(set);
    report.summary = SummarizeFolder(set, report.boards);
    reports.push_back(std::move(report));
  }
  return reports;
}

Json SummaryJson(const FolderSummary& summary) {
  Json by_status;
  for (const auto& [status, count] : summary.by_status) {
    by_status.Set(v1::EvaluationStatus_Name(status), count);
  }
  Json authors = Json::EmptyArray();
  for (const AuthorScore& score : summary.authors) {
    authors.Append(Json()
                       .Set("hardware", score.hardware)
                       .Set("author", score.author)
                       .Set("speedup_geomean", score.speedup_geomean)
                       .Set("cells", score.cells)
                       .Set("cells_passed", score.cells_passed)
                       .Set("workloads_passed", score.workloads_passed)
                       .Set("workloads_won", score.workloads_won));
  }
  Json document;
  document.Set("traces", summary.traces)
      .Set("by_status", by_status)
      .Set("authors", authors);
  return document;
}

void PrintJson(const std::vector<Report>& reports, CommandContext& context) {
  Json list = Json::EmptyArray();
  for (const Report& report : reports) {
    list.Append(Json()
                    .Set("folder", report.root)
                    .Set("summary", SummaryJson(report.summary))
                    .Set("leaderboards", JsonArray(report.boards)));
  }
  context.PrintJson(Json().Set("reports", list));
}

using MakeText = std::string (*)(const Report&, int width);

std::string SummaryOf(const Report& report, int width) {
  return SummaryText(report.summary, width);
}

std::string BestOf(const Report& report, int width) {
  if (report.boards.empty()) return "no results";
  return absl::StrCat(kBoardLegend, "\n\n", BestText(report.boards, width));
}

std::string PictureOf(const Report& report, int width) {
  if (report.boards.empty()) return "no results";
  std::string text = kBoardLegend;
  for (const v1::Leaderboard& board : report.boards) {
    absl::StrAppend(&text, "\n\n", BarsText(board, width));
  }
  return text;
}

absl::StatusOr<ExitCode> Print(const Flags& flags, MakeText make_text,
                               CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Report> reports,
                         MakeReports(flags.folders, context));
  if (context.json) {
    PrintJson(reports, context);
    return ExitCode::kOk;
  }
  for (const Report& report : reports) {
    if (reports.size() > 1) {
      if (&report != &reports.front()) context.console.Print("");
      context.console.Print(absl::StrCat("== ", Printable(report.root)));
    }
    context.console.Print(make_text(report, context.console.width()));
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> WriteHtml(const Flags& flags,
                                   CommandContext& context) {
  if (flags.folders.size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("--html takes one folder, not ", flags.folders.size(),
                     ": merge them first, with assay report merge"));
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Report> reports,
                         MakeReports(flags.folders, context));
  const Report& report = reports.front();
  ASSAY_RETURN_IF_ERROR(WriteFileAtomically(
      flags.html, ReportHtml(report.root, report.summary, report.boards)));
  context.console.Note(absl::StrCat("wrote ", flags.html));
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> Visualize(const Flags& flags,
                                   CommandContext& context) {
  return flags.html.empty() ? Print(flags, PictureOf, context)
                            : WriteHtml(flags, context);
}

absl::StatusOr<ExitCode> Merge(const Flags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<TraceSet> sets,
                         ReadAll(flags.folders));
  ASSAY_ASSIGN_OR_RETURN(const MergeReport report,
                         MergeTraceSets(sets, flags.output));
  if (context.json) {
    context.PrintJson(Json()
                          .Set("definitions", report.definitions)
                          .Set("solutions", report.solutions)
                          .Set("workloads", report.workloads)
                          .Set("traces", report.traces));
    return ExitCode::kOk;
  }
  context.console.Print(absl::StrCat(
      "merged ", Count(static_cast<int64_t>(sets.size()), "trace set"), " to ",
      flags.output, ": ", Count(report.definitions, "definition"), ", ",
      Count(report.solutions, "solution"), ", ",
      Count(report.workloads, "workload"), ", ",
      Count(report.traces, "trace")));
  return ExitCode::kOk;
}

void AddReport(Command group, const char* name, const char* description,
               MakeText make_text, CommandContext& context) {
  const auto flags = std::make_shared<Flags>();
  Command command = group.AddCommand(name, description);
  command.Required("folder", flags->folders, "Folders of trace sets");
  FinishLocalCommand(command, context,
                     [flags, make_text](CommandContext& invoked) {
                       return Print(*flags, make_text, invoked);
                     });
}

}  // namespace

void AddReportCommand(Command root, CommandContext& context) {
  Command group = root.AddGroup(
      "report", "Tell what the traces of trace sets on disk come to");
  AddReport(group, "summary", "Count verdicts, and score authors", SummaryOf,
            context);
  AddReport(group, "best", "Name the best solution of each definition", BestOf,
            context);

  const auto picture = std::make_shared<Flags>();
  Command visualize =
      group.AddCommand("visualize", "Draw the boards, here or as a page");
  visualize.Required("folder", picture->folders, "Folders of trace sets");
  visualize.Text("--html", picture->html,
                 {"Write one page to this file instead", "FILE"});
  FinishLocalCommand(visualize, context, [picture](CommandContext& invoked) {
    return Visualize(*picture, invoked);
  });

  const auto flags = std::make_shared<Flags>();
  Command merge =
      group.AddCommand("merge", "Write several trace sets as one new one");
  merge.Required("folder", flags->folders, "Folders of trace sets");
  merge.RequiredText("--output", flags->output, {"Folder to create", "DIR"});
  FinishLocalCommand(merge, context, [flags](CommandContext& invoked) {
    return Merge(*flags, invoked);
  });
}

}  // namespace assay
