#include "schema/pack.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "schema/json.h"
#include "schema/json_parser.h"
#include "schema/json_path.h"
#include "schema/relative_path.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr char kSolutionFile[] = "solution.json";
constexpr size_t kMaxFileBytes = size_t{128} << 20;

std::string Join(const std::string& dir, const std::string& name) {
  return dir.empty() ? name : absl::StrCat(dir, "/", name);
}

absl::Status CheckSourcePaths(const v1::Solution& solution) {
  for (const v1::SourceFile& source : solution.sources()) {
    ASSAY_RETURN_IF_ERROR(
        Annotate(CheckRelativePath(source.path()), Quoted(source.path())));
    if (source.path() == kSolutionFile) {
      return absl::InvalidArgumentError(
          "the source \"solution.json\" would overwrite the description of "
          "the solution, rename it");
    }
  }
  return absl::OkStatus();
}

// The text of solution.json: all but the content of the sources.
absl::StatusOr<std::string> Description(const v1::Solution& solution) {
  ASSAY_ASSIGN_OR_RETURN(Json json, ParseJson(SolutionToJson(solution)));
  for (Json& source : json["sources"]) source.erase("content");
  return absl::StrCat(json.dump(2, ' ', false, Json::error_handler_t::replace),
                      "\n");
}

absl::Status CheckFree(const std::string& path, const std::string& content) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return absl::OkStatus();
  const absl::StatusOr<std::string> present = ReadFile(path, kMaxFileBytes);
  if (present.ok() && *present == content) return absl::OkStatus();
  return absl::AlreadyExistsError(
      absl::StrCat(Quoted(path), " exists, choose an empty folder"));
}

// The folder that has the folders of a trace set, `dir` or above it.
fs::path RootOf(const fs::path& dir) {
  std::error_code error;
  for (fs::path root = dir; root.has_relative_path();
       root = root.parent_path()) {
    if (fs::is_directory(root / "definitions", error) &&
        fs::is_directory(root / "solutions", error)) {
      return root;
    }
  }
  return dir;
}

}  // namespace

absl::Status UnpackSolution(const v1::Solution& solution,
                            const std::string& dir) {
  ASSAY_RETURN_IF_ERROR(CheckSourcePaths(solution));
  std::vector<std::pair<std::string, std::string>> files;
  ASSAY_ASSIGN_OR_RETURN(std::string description, Description(solution));
  files.emplace_back(Join(dir, kSolutionFile), std::move(description));
  for (const v1::SourceFile& source : solution.sources()) {
    files.emplace_back(Join(dir, source.path()), source.content());
  }
  for (const auto& [path, content] : files) {
    ASSAY_RETURN_IF_ERROR(CheckFree(path, content));
  }
  for (const auto& [path, content] : files) {
    ASSAY_RETURN_IF_ERROR(CreateDirectories(fs::path(path).parent_path()));
    ASSAY_RETURN_IF_ERROR(WriteFileAtomically(path, content));
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::Solution> PackSolution(const std::string& dir) {
  std::error_code error;
  const fs::path folder = fs::canonical(dir, error);
  if (error) {
    return absl::NotFoundError(
        absl::StrCat("opening folder ", dir, ": ", error.message()));
  }
  const fs::path root = RootOf(folder);
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<ConfinedFolder> confined,
                         ConfinedFolder::Open(root.string()));
  const fs::path relative = folder.lexically_relative(root);
  return PackSolution(*confined,
                      relative == "." ? std::string() : relative.string());
}

absl::StatusOr<v1::Solution> PackSolution(const ConfinedFolder& root,
                                          const std::string& dir) {
  const std::string description = Join(dir, kSolutionFile);
  ASSAY_ASSIGN_OR_RETURN(const std::string text,
                         root.ReadFile(description, kMaxFileBytes));
  absl::StatusOr<v1::Solution> solution = SolutionFromJson(text);
  if (!solution.ok()) return Annotate(solution.status(), description);
  for (v1::SourceFile& source : *solution->mutable_sources()) {
    if (!source.content().empty()) continue;
    ASSAY_RETURN_IF_ERROR(
        Annotate(CheckRelativePath(source.path()),
                 absl::StrCat(description, ": ", Quoted(source.path()))));
    ASSAY_ASSIGN_OR_RETURN(
        *source.mutable_content(),
        root.ReadFile(Join(dir, source.path()), kMaxFileBytes));
  }
  return solution;
}

}  // namespace assay
