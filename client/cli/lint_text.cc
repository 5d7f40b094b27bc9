#include "client/cli/lint_text.h"

#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/table.h"
#include "client/cli/text.h"
#include "client/cli/units.h"

namespace assay {
namespace {

std::string VerdictText(const LintResult& result) {
  if (result.judged == 0) return absl::StrCat("not judged: ", result.trouble);
  std::string text =
      result.passes()
          ? absl::StrCat("PASSES on ", result.passed, " of ",
                         Count(result.judged, "workload"))
          : absl::StrCat("noticed on ", Count(result.judged, "workload"));
  if (!result.trouble.empty()) {
    absl::StrAppend(&text, "; elsewhere ", result.trouble);
  }
  return text;
}

Json ResultJson(const LintResult& result) {
  Json json;
  json.Set("definition", result.definition)
      .Set("output", result.output)
      .Set("probe", result.probe)
      .Set("judged", result.judged)
      .Set("passed", result.passed)
      .Set("nearest_workload", result.nearest_workload)
      .Set("nearest", Json(result.nearest))
      .Set("trouble", result.trouble);
  return json;
}

Json NamesJson(const std::vector<std::string>& names) {
  Json list = Json::EmptyArray();
  for (const std::string& name : names) list.Append(name);
  return list;
}

std::string Summary(const LintReport& report) {
  std::set<std::string> definitions;
  for (const LintResult& one : report.results) {
    definitions.insert(one.definition);
  }
  for (const auto& one : report.not_probed) definitions.insert(one.definition);
  std::string text = absl::StrCat(
      Count(static_cast<int64_t>(definitions.size()), "definition"), ": ",
      report.WeakDefinitions().size(), " weak");
  if (const size_t unjudged = report.UnjudgedDefinitions().size()) {
    absl::StrAppend(&text, ", ", unjudged, " not fully judged");
  }
  return text;
}

}  // namespace

std::string LintText(const LintReport& report, int width) {
  Table table({{"definition", Table::kLeft, /*may_shrink=*/true},
               {"output", Table::kLeft, /*may_shrink=*/true},
               {"probe", Table::kLeft, /*may_shrink=*/true},
               {"right", Table::kRight},
               {"off by", Table::kRight},
               {"relative", Table::kRight},
               {"verdict", Table::kLeft, /*may_shrink=*/true}});
  for (const LintResult& result : report.results) {
    const bool judged = result.judged > 0;
    const v1::Correctness& nearest = result.nearest;
    table.Add({result.definition, result.output, result.probe,
               judged ? FormatShare(nearest.matched_ratio()) : "-",
               judged ? FormatError(nearest.max_absolute_error()) : "-",
               judged ? FormatError(nearest.max_relative_error()) : "-",
               VerdictText(result)});
  }
  std::string text;
  if (!table.empty()) text = absl::StrCat(table.Render(width), "\n");
  for (const auto& one : report.not_probed) {
    absl::StrAppend(&text, "not probed: ",
                    Printable(absl::StrCat(one.definition, ": ", one.reason)),
                    "\n");
  }
  for (const std::string& name : report.WeakDefinitions()) {
    absl::StrAppend(
        &text, "weak: ",
        Printable(absl::StrCat(name, ": ", WeaknessText(report, name))), "\n");
  }
  for (const auto& [definition, workloads] : report.storable) {
    absl::StrAppend(
        &text, "stored: ",
        Printable(absl::StrCat(
            definition, ": of ",
            Count(static_cast<int64_t>(workloads.size()), "workload"), " (",
            workloads.front(), workloads.size() > 1 ? ", ..." : "",
            ") all inputs are stored and none can be varied: answers can be "
            "stored")),
        "\n");
  }
  return absl::StrCat(text, Summary(report));
}

Json LintJson(const LintReport& report) {
  Json results = Json::EmptyArray();
  for (const LintResult& result : report.results) {
    results.Append(ResultJson(result));
  }
  Json not_probed = Json::EmptyArray();
  for (const auto& one : report.not_probed) {
    not_probed.Append(
        Json().Set("definition", one.definition).Set("reason", one.reason));
  }
  Json storable = Json::EmptyArray();
  for (const auto& one : report.storable) {
    storable.Append(Json()
                        .Set("definition", one.definition)
                        .Set("workloads", NamesJson(one.workloads)));
  }
  Json json;
  json.Set("results", results)
      .Set("not_probed", not_probed)
      .Set("storable", storable)
      .Set("weak", NamesJson(report.WeakDefinitions()))
      .Set("unjudged", NamesJson(report.UnjudgedDefinitions()));
  return json;
}

std::string WeaknessText(const LintReport& report,
                         const std::string& definition) {
  for (const LintResult& result : report.results) {
    if (result.definition != definition || !result.passes()) continue;
    return absl::StrCat(
        "output \"", result.output, "\" passes as ", result.probe, " on ",
        result.passed, " of ", Count(result.judged, "workload"), " (",
        FormatShare(result.nearest.matched_ratio()), " right, off by ",
        FormatError(result.nearest.max_absolute_error()), ")");
  }
  return "";
}

}  // namespace assay
