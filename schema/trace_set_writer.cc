#include "schema/trace_set_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "schema/confined_folder.h"
#include "schema/json.h"
#include "schema/json_path.h"
#include "schema/relative_path.h"
#include "schema/validate.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxBlobBytes = size_t{64} << 30;

absl::Status CheckBlobPath(absl::string_view path) {
  ASSAY_RETURN_IF_ERROR(Annotate(CheckRelativePath(path), Quoted(path)));
  for (absl::string_view folder :
       {"definitions/", "solutions/", "workloads/", "traces/"}) {
    if (!absl::StartsWith(path, folder)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(path), " is where the trace set keeps its ",
                     folder.substr(0, folder.size() - 1),
                     ", store tensors under \"blob/\""));
  }
  return absl::OkStatus();
}

// The paths of the files that a workload names.
void CollectFiles(const v1::Workload& workload, std::set<std::string>& paths) {
  for (const v1::WorkloadInput& input : workload.inputs()) {
    if (input.has_safetensors()) {
      paths.emplace(WithoutDotSlash(input.safetensors().path()));
    }
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<TraceSetWriter>> TraceSetWriter::Create(
    const std::string& root) {
  ASSAY_RETURN_IF_ERROR(CreateDirectories(root));
  std::error_code error;
  const bool is_empty = fs::is_empty(root, error);
  if (error) {
    return PosixError(absl::StrCat("listing ", root), error.value());
  }
  if (!is_empty) {
    return absl::AlreadyExistsError(
        absl::StrCat(Quoted(root), " is not empty, choose a new folder"));
  }
  return std::unique_ptr<TraceSetWriter>(new TraceSetWriter(root));
}

absl::Status TraceSetWriter::AddDefinition(const v1::Definition& definition) {
  ASSAY_RETURN_IF_ERROR(ToStatus(ValidateDefinition(definition)));
  if (!op_types_.emplace(definition.name(), definition.op_type()).second) {
    return absl::AlreadyExistsError(
        absl::StrCat("the definition ", Quoted(definition.name()),
                     " is in the trace set already"));
  }
  return WriteNew(absl::StrCat("definitions/", definition.op_type(), "/",
                               definition.name(), ".json"),
                  DefinitionToJson(definition, JsonStyle::kPretty));
}

absl::Status TraceSetWriter::AddSolution(const v1::Solution& solution) {
  ASSAY_RETURN_IF_ERROR(ToStatus(ValidateSolution(solution)));
  ASSAY_ASSIGN_OR_RETURN(const std::string op_type,
                         OpTypeOf(solution.definition()));
  if (!solutions_.insert(solution.name()).second) {
    return absl::AlreadyExistsError(
        absl::StrCat("a solution ", Quoted(solution.name()),
                     " is in the trace set already, names are unique there"));
  }
  return WriteNew(
      absl::StrCat("solutions/", solution.author(), "/", op_type, "/",
                   solution.definition(), "/", solution.name(), ".json"),
      SolutionToJson(solution, JsonStyle::kPretty));
}

absl::Status TraceSetWriter::AddWorkload(absl::string_view definition,
                                         const v1::Workload& workload) {
  v1::Trace trace;
  trace.set_definition(std::string(definition));
  *trace.mutable_workload() = workload;
  return AddLine("workloads", trace);
}

absl::Status TraceSetWriter::AddTrace(const v1::Trace& trace) {
  if (!trace.has_evaluation()) {
    return absl::InvalidArgumentError(
        "the trace has no evaluation, add it as a workload");
  }
  return AddLine("traces", trace);
}

absl::Status TraceSetWriter::AddLine(absl::string_view folder,
                                     const v1::Trace& trace) {
  ASSAY_RETURN_IF_ERROR(ToStatus(ValidateTrace(trace)));
  ASSAY_ASSIGN_OR_RETURN(const std::string op_type,
                         OpTypeOf(trace.definition()));
  const std::string path = absl::StrCat(root_, "/", folder, "/", op_type, "/",
                                        trace.definition(), ".jsonl");
  ASSAY_RETURN_IF_ERROR(CreateDirectories(fs::path(path).parent_path()));
  const UniqueFd fd(
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd.valid()) return PosixError(absl::StrCat("opening ", path));
  return WriteAll(fd.get(), absl::StrCat(TraceToJson(trace), "\n"), path);
}

absl::Status TraceSetWriter::AddBlob(absl::string_view path,
                                     absl::string_view content) {
  const std::string relative(WithoutDotSlash(path));
  ASSAY_RETURN_IF_ERROR(CheckBlobPath(relative));
  const std::string target = absl::StrCat(root_, "/", relative);
  std::error_code error;
  if (!fs::exists(target, error)) return WriteNew(relative, content);
  ASSAY_ASSIGN_OR_RETURN(const std::string present,
                         ReadFile(target, kMaxBlobBytes));
  if (present == content) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(
      Quoted(relative), " is in the trace set with other content"));
}

absl::StatusOr<std::string> TraceSetWriter::OpTypeOf(
    absl::string_view definition) const {
  const auto op_type = op_types_.find(std::string(definition));
  if (op_type != op_types_.end()) return op_type->second;
  return absl::FailedPreconditionError(
      absl::StrCat("the definition ", Quoted(definition),
                   " is not in the trace set, add it first"));
}

absl::Status TraceSetWriter::WriteNew(const std::string& relative,
                                      absl::string_view content) {
  const std::string path = absl::StrCat(root_, "/", relative);
  ASSAY_RETURN_IF_ERROR(CreateDirectories(fs::path(path).parent_path()));
  return WriteFileAtomically(path, content);
}

absl::Status CopyBlobs(const TraceSet& set, TraceSetWriter& writer) {
  std::set<std::string> files;
  for (const auto& item : set.workloads) {
    CollectFiles(item.value.workload(), files);
  }
  if (files.empty()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<ConfinedFolder> source,
                         ConfinedFolder::Open(set.root));
  for (const std::string& path : files) {
    ASSAY_ASSIGN_OR_RETURN(const std::string content,
                           source->ReadFile(path, kMaxBlobBytes));
    ASSAY_RETURN_IF_ERROR(writer.AddBlob(path, content));
  }
  return absl::OkStatus();
}

absl::Status AddItems(const TraceSet& set, TraceSetWriter& writer) {
  for (const auto& item : set.definitions) {
    ASSAY_RETURN_IF_ERROR(
        Annotate(writer.AddDefinition(item.value), item.origin));
  }
  for (const auto& item : set.solutions) {
    ASSAY_RETURN_IF_ERROR(
        Annotate(writer.AddSolution(item.value), item.origin));
  }
  for (const auto& item : set.workloads) {
    ASSAY_RETURN_IF_ERROR(Annotate(
        writer.AddWorkload(item.value.definition(), item.value.workload()),
        item.origin));
  }
  for (const auto& item : set.traces) {
    ASSAY_RETURN_IF_ERROR(Annotate(writer.AddTrace(item.value), item.origin));
  }
  return absl::OkStatus();
}

absl::Status WriteTraceSet(const TraceSet& set, const std::string& root) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<TraceSetWriter> writer,
                         TraceSetWriter::Create(root));
  ASSAY_RETURN_IF_ERROR(AddItems(set, *writer));
  return CopyBlobs(set, *writer);
}

}  // namespace assay
