#include "client/report/report_html.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace assay {
namespace {

constexpr char kHead[] = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'">
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto;
  max-width: 60rem; padding: 0 1rem; }
h2 { font-size: 1.1rem; margin-top: 2.5rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding-bottom: .3rem; opacity: .75; }
th, td { text-align: left; padding: .25rem .6rem;
  border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
.n { text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
meter { width: 10rem; max-width: 25vw; }
.scroll { overflow-x: auto; }
</style>
)";

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"&", "&amp;"},
                                    {"<", "&lt;"},
                                    {">", "&gt;"},
                                    {"\"", "&quot;"},
                                    {"'", "&#39;"}});
}

// What somebody chose to write may turn the direction of text; it is kept from
// turning that of what follows.
std::string Text(absl::string_view text) {
  return absl::StrCat("<bdi>", Escaped(text), "</bdi>");
}

std::string Row(const std::vector<std::string>& texts,
                const std::vector<std::string>& numbers) {
  std::string row = "<tr>";
  for (const std::string& text : texts) {
    absl::StrAppend(&row, "<td>", text, "</td>");
  }
  for (const std::string& number : numbers) {
    absl::StrAppend(&row, "<td class=\"n\">", number, "</td>");
  }
  return absl::StrCat(row, "</tr>\n");
}

std::string Table(absl::string_view caption,
                  const std::vector<std::string>& texts,
                  const std::vector<std::string>& numbers,
                  absl::string_view rows) {
  std::string head;
  for (const std::string& text : texts) {
    absl::StrAppend(&head, "<th scope=\"col\">", text, "</th>");
  }
  for (const std::string& number : numbers) {
    absl::StrAppend(&head, "<th scope=\"col\" class=\"n\">", number, "</th>");
  }
  return absl::StrCat("<div class=\"scroll\"><table><caption>",
                      Escaped(caption), "</caption>\n<thead><tr>", head,
                      "</tr></thead>\n<tbody>\n", rows,
                      "</tbody></table></div>\n");
}

std::string Factor(double factor) {
  return factor > 0 ? absl::StrFormat("%.3gx", factor) : "-";
}

std::string Share(int64_t part, int64_t whole) {
  return absl::StrCat(part, "/", whole);
}

std::string StatusRows(const FolderSummary& summary) {
  std::string rows;
  for (const auto& [status, count] : summary.by_status) {
    absl::StrAppend(
        &rows, Row({v1::EvaluationStatus_Name(status)}, {absl::StrCat(count)}));
  }
  return rows;
}

std::string AuthorRows(const FolderSummary& summary) {
  std::string rows;
  for (const AuthorScore& score : summary.authors) {
    absl::StrAppend(
        &rows, Row({Text(score.hardware),
                    Text(score.author.empty() ? "(unknown)" : score.author)},
                   {Factor(score.speedup_geomean),
                    Share(score.cells_passed, score.cells),
                    Share(score.workloads_won, score.workloads_passed)}));
  }
  return rows;
}

// As long as its speed-up is of the best's.
std::string Bar(double factor, double best) {
  if (!(factor > 0)) return "";
  return absl::StrFormat(
      "<meter min=\"0\" max=\"%.6g\" value=\"%.6g\" "
      "aria-label=\"speed-up\">%s</meter>",
      best, factor, Factor(factor));
}

std::string Board(const v1::Leaderboard& board) {
  double best = 0;
  for (const v1::LeaderboardEntry& entry : board.entries()) {
    best = std::max(best, entry.speedup_geomean());
  }
  std::string rows;
  for (const v1::LeaderboardEntry& entry : board.entries()) {
    absl::StrAppend(
        &rows, Row({entry.rank() > 0 ? absl::StrCat(entry.rank()) : "-",
                    Text(entry.solution()), Text(entry.author()),
                    entry.note().empty() ? Bar(entry.speedup_geomean(), best)
                                         : Escaped(entry.note())},
                   {Factor(entry.speedup_geomean()),
                    Share(entry.workloads_passed(), entry.workloads_total())}));
  }
  const v1::LeaderboardKey& key = board.key();
  return absl::StrCat(
      "<h2>", Text(key.definition()), "</h2>\n",
      Table(absl::StrCat(
                key.hardware(), ", ", board.workload_uuids_size(),
                board.workload_uuids_size() == 1 ? " workload" : " workloads"),
            {"rank", "solution", "author", ""}, {"speed-up", "passed"}, rows));
}

}  // namespace

std::string ReportHtml(absl::string_view title, const FolderSummary& summary,
                       const std::vector<v1::Leaderboard>& boards) {
  std::string page = absl::StrCat(kHead, "<title>", Escaped(title),
                                  "</title>\n</head>\n<body>\n<main>\n<h1>",
                                  Text(title), "</h1>\n<p>", summary.traces,
                                  summary.traces == 1 ? " trace" : " traces",
                                  ". Speed-up: geometric mean over the "
                                  "workloads of reference latency / "
                                  "latency.</p>\n");
  absl::StrAppend(
      &page, Table("Verdicts", {"status"}, {"traces"}, StatusRows(summary)));
  absl::StrAppend(
      &page, "<h2>Authors</h2>\n",
      Table("passed: results that passed; fastest: workloads on "
            "which nobody was faster",
            {"hardware", "author"}, {"speed-up", "passed", "fastest"},
            AuthorRows(summary)));
  for (const v1::Leaderboard& board : boards) {
    absl::StrAppend(&page, Board(board));
  }
  return absl::StrCat(page, "</main>\n</body>\n</html>\n");
}

}  // namespace assay
