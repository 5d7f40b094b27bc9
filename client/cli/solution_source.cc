#include "client/cli/solution_source.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "schema/json.h"
#include "schema/pack.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr char kSolutionFile[] = "solution.json";

bool IsFolderIn(const std::string& folder, const char* name) {
  std::error_code ignored;
  return fs::is_directory(fs::path(folder) / name, ignored);
}

absl::StatusOr<SolutionSource> ReadFolder(const std::string& folder) {
  SolutionSource source;
  std::error_code ignored;
  if (fs::exists(fs::path(folder) / kSolutionFile, ignored)) {
    source.kind = SolutionSource::kSolution;
    ASSAY_ASSIGN_OR_RETURN(source.solution, PackSolution(folder));
    return source;
  }
  if (!IsFolderIn(folder, "solutions") && !IsFolderIn(folder, "definitions")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", folder,
        "\" is neither a solution nor a trace set: it has no solution.json, "
        "and no folder \"definitions\" or \"solutions\""));
  }
  source.kind = SolutionSource::kTraceSet;
  ASSAY_ASSIGN_OR_RETURN(source.set, ReadTraceSet(folder));
  if (source.set.solutions.empty() && source.set.problems.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", folder, "\" has no solutions; put them in ", folder,
                     "/solutions"));
  }
  return source;
}

absl::StatusOr<SolutionSource> ReadSolutionFile(const std::string& file) {
  SolutionSource source;
  source.kind = SolutionSource::kSolution;
  const fs::path path(file);
  if (path.filename() == kSolutionFile) {
    const std::string folder =
        path.has_parent_path() ? path.parent_path().string() : ".";
    ASSAY_ASSIGN_OR_RETURN(source.solution, PackSolution(folder));
    return source;
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
  absl::StatusOr<v1::Solution> solution = SolutionFromJson(text);
  if (!solution.ok()) return Annotate(solution.status(), file);
  source.solution = *std::move(solution);
  return source;
}

}  // namespace

absl::StatusOr<SolutionSource> FindSolutionSource(const std::string& what) {
  std::error_code error;
  const fs::file_status status = fs::status(what, error);
  if (fs::is_directory(status)) return ReadFolder(what);
  if (fs::exists(status)) return ReadSolutionFile(what);
  if (absl::StrContains(what, "/") || absl::EndsWith(what, ".json")) {
    return absl::NotFoundError(
        absl::StrCat("there is no file or folder \"", what, "\""));
  }
  return SolutionSource();
}

}  // namespace assay
