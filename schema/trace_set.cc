#include "schema/trace_set.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "schema/confined_folder.h"
#include "schema/json.h"
#include "schema/json_path.h"
#include "schema/pack.h"

namespace assay {
namespace {

constexpr size_t kMaxObjectBytes = size_t{128} << 20;
constexpr size_t kMaxLinesBytes = size_t{1} << 30;
constexpr absl::string_view kUnpackedSuffix = "/solution.json";

// True when no source brings its content along: it stands in files beside.
bool IsUnpacked(const v1::Solution& solution) {
  return std::all_of(
      solution.sources().begin(), solution.sources().end(),
      [](const v1::SourceFile& source) { return source.content().empty(); });
}

class Reader {
 public:
  explicit Reader(const ConfinedFolder& folder) : folder_(folder) {
    set_.root = folder.path();
  }

  TraceSet Run() && {
    for (const std::string& path : List("definitions", ".json")) {
      ReadDefinition(path);
    }
    ReadSolutions(List("solutions", ".json"));
    for (const std::string& path : List("workloads", ".jsonl")) {
      ReadTraces(path, /*want_workloads=*/true);
    }
    for (const std::string& path : List("traces", ".jsonl")) {
      ReadTraces(path, /*want_workloads=*/false);
    }
    return std::move(set_);
  }

 private:
  std::vector<std::string> List(const std::string& folder,
                                const std::string& suffix) {
    return folder_.ListFiles(folder, suffix, set_.problems);
  }

  void Complain(const std::string& origin, absl::string_view message) {
    set_.problems.push_back({origin, std::string(message), false});
  }

  // Reads and parses; nothing after a problem.
  template <typename T>
  absl::optional<T> ReadObject(const std::string& path,
                               absl::StatusOr<T> (*parse)(absl::string_view)) {
    const absl::StatusOr<std::string> text =
        folder_.ReadFile(path, kMaxObjectBytes);
    if (!text.ok()) {
      Complain(path, text.status().message());
      return absl::nullopt;
    }
    absl::StatusOr<T> object = parse(*text);
    if (!object.ok()) {
      Complain(path, object.status().message());
      return absl::nullopt;
    }
    return *std::move(object);
  }

  void ReadDefinition(const std::string& path) {
    auto definition = ReadObject(path, DefinitionFromJson);
    if (!definition.has_value()) return;
    if (definition->reference().empty()) {
      const std::string source =
          absl::StrCat(absl::StripSuffix(path, ".json"), ".py");
      absl::StatusOr<std::string> reference =
          folder_.ReadFile(source, kMaxObjectBytes);
      if (!reference.ok()) {
        Complain(path, absl::StrCat("has no member \"reference\" and there is "
                                    "no ",
                                    Quoted(source), " instead: ",
                                    reference.status().message()));
        return;
      }
      definition->set_reference(*std::move(reference));
    }
    set_.definitions.push_back({path, *std::move(definition)});
  }

  void ReadSolutions(const std::vector<std::string>& paths) {
    // What is in the folder of an unpacked solution belongs to it.
    std::set<std::string> folders;
    for (const std::string& path : paths) {
      if (!absl::EndsWith(path, kUnpackedSuffix)) continue;
      const std::string folder(absl::StripSuffix(path, kUnpackedSuffix));
      if (!IsInside(path, folders)) ReadUnpacked(path, folder, folders);
    }
    for (const std::string& path : paths) {
      if (absl::EndsWith(path, kUnpackedSuffix) || IsInside(path, folders)) {
        continue;
      }
      auto solution = ReadObject(path, SolutionFromJson);
      if (!solution.has_value()) continue;
      set_.solutions.push_back({path, *std::move(solution)});
    }
    std::sort(set_.solutions.begin(), set_.solutions.end(),
              [](const auto& a, const auto& b) { return a.origin < b.origin; });
  }

  void ReadUnpacked(const std::string& path, const std::string& folder,
                    std::set<std::string>& folders) {
    auto described = ReadObject(path, SolutionFromJson);
    if (!described.has_value()) return;
    if (!IsUnpacked(*described)) {
      set_.solutions.push_back({path, *std::move(described)});
      return;
    }
    folders.insert(folder);
    absl::StatusOr<v1::Solution> solution = PackSolution(folder_, folder);
    if (!solution.ok()) {
      Complain(path, solution.status().message());
      return;
    }
    set_.solutions.push_back({path, *std::move(solution)});
  }

  static bool IsInside(const std::string& path,
                       const std::set<std::string>& folders) {
    for (size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      if (folders.count(path.substr(0, slash)) != 0) return true;
    }
    return false;
  }

  void ReadTraces(const std::string& path, bool want_workloads) {
    const absl::StatusOr<std::string> text =
        folder_.ReadFile(path, kMaxLinesBytes);
    if (!text.ok()) {
      Complain(path, text.status().message());
      return;
    }
    int line_number = 0;
    for (absl::string_view line : absl::StrSplit(*text, '\n')) {
      ++line_number;
      if (absl::StripAsciiWhitespace(line).empty()) continue;
      ReadTrace(line, absl::StrCat(path, ":", line_number), want_workloads);
    }
  }

  void ReadTrace(absl::string_view line, const std::string& origin,
                 bool want_workload) {
    absl::StatusOr<v1::Trace> trace = TraceFromJson(line);
    if (!trace.ok()) {
      Complain(origin, trace.status().message());
      return;
    }
    const bool is_workload =
        trace->solution().empty() && !trace->has_evaluation();
    if (is_workload != want_workload) {
      Complain(origin, want_workload
                           ? "has a solution or an evaluation, move it to "
                             "\"traces\""
                           : "has no solution and evaluation, move it to "
                             "\"workloads\"");
      return;
    }
    auto& items = is_workload ? set_.workloads : set_.traces;
    items.push_back({origin, *std::move(trace)});
  }

  const ConfinedFolder& folder_;
  TraceSet set_;
};

}  // namespace

absl::StatusOr<TraceSet> ReadTraceSet(const std::string& root) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<ConfinedFolder> folder,
                         ConfinedFolder::Open(root));
  const bool is_trace_set =
      folder->Contains("definitions") || folder->Contains("solutions") ||
      folder->Contains("workloads") || folder->Contains("traces");
  if (!is_trace_set) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(root),
                     " is no trace set, it has none of the folders "
                     "definitions, solutions, workloads and traces"));
  }
  return Reader(*folder).Run();
}

}  // namespace assay
