#include "schema/validate_trace_set.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "schema/confined_folder.h"
#include "schema/dtype.h"
#include "schema/json_path.h"
#include "schema/relative_path.h"
#include "schema/safetensors.h"
#include "schema/shape.h"
#include "schema/validate.h"

namespace assay {
namespace {

class TraceSetCheck {
 public:
  explicit TraceSetCheck(const TraceSet& set) : set_(set) {}

  std::vector<Problem> Run() && {
    problems_ = set_.problems;
    absl::StatusOr<std::unique_ptr<ConfinedFolder>> folder =
        ConfinedFolder::Open(set_.root);
    if (folder.ok()) {
      folder_ = *std::move(folder);
    } else {
      Error(set_.root, folder.status().message());
    }
    CheckDefinitions();
    CheckSolutions();
    for (const auto& item : set_.workloads) CheckWorkload(item);
    for (const auto& item : set_.traces) CheckTrace(item);
    return std::move(problems_);
  }

 private:
  // Names seen, with the origin of the first.
  using Seen = std::map<std::string, std::string>;

  void Error(std::string path, absl::string_view message) {
    problems_.push_back({std::move(path), std::string(message), false});
  }

  // Takes over problems of one object; `prefix` replaces the `$` of paths.
  void Take(const std::string& origin, std::vector<Problem> problems,
            absl::string_view prefix = "$") {
    for (Problem& problem : problems) {
      problem.path = absl::StrCat(origin, ": ", prefix,
                                  absl::StripPrefix(problem.path, "$"));
      problems_.push_back(std::move(problem));
    }
  }

  void CheckUnique(const std::string& origin, absl::string_view member,
                   const std::string& name, Seen& seen) {
    const auto [first, is_new] = seen.emplace(name, origin);
    if (is_new) return;
    Error(absl::StrCat(origin, ": ", member),
          absl::StrCat(Quoted(name), " is also in ", first->second,
                       ", choose another"));
  }

  void CheckDefinitions() {
    Seen seen;
    for (const auto& item : set_.definitions) {
      Take(item.origin, ValidateDefinition(item.value));
      CheckUnique(item.origin, "$.name", item.value.name(), seen);
      definitions_.emplace(item.value.name(), &item.value);
    }
  }

  const v1::Definition* FindDefinition(const std::string& origin,
                                       const std::string& name) {
    const auto definition = definitions_.find(name);
    if (definition != definitions_.end()) return definition->second;
    Error(absl::StrCat(origin, ": $.definition"),
          absl::StrCat("unknown definition ", Quoted(name),
                       ", add it to \"definitions\" or correct the name"));
    return nullptr;
  }

  void CheckSolutions() {
    for (const auto& item : set_.solutions) {
      Take(item.origin, ValidateSolution(item.value));
      CheckUnique(item.origin, "$.name", item.value.name(), solutions_);
      const v1::Definition* definition =
          FindDefinition(item.origin, item.value.definition());
      if (definition != nullptr) {
        Take(item.origin, ValidateSolutionFor(item.value, *definition));
      }
    }
  }

  void CheckWorkload(const TraceSetItem<v1::Trace>& item) {
    const v1::Workload& workload = item.value.workload();
    CheckUnique(item.origin, "$.workload.uuid", workload.uuid(), uuids_);
    const v1::Definition* definition =
        FindDefinition(item.origin, item.value.definition());
    if (definition == nullptr) return;
    std::vector<Problem> problems = ValidateWorkload(workload, *definition);
    const bool sound = ToStatus(problems).ok();
    Take(item.origin, std::move(problems), "$.workload");
    if (sound && folder_ != nullptr) {
      CheckFiles(item.origin, workload, *definition);
    }
  }

  // A record of the past: what it names may be gone.
  void CheckTrace(const TraceSetItem<v1::Trace>& item) {
    Take(item.origin, ValidateTrace(item.value));
    if (solutions_.count(item.value.solution()) != 0) return;
    problems_.push_back(
        {absl::StrCat(item.origin, ": $.solution"),
         absl::StrCat("unknown solution ", Quoted(item.value.solution()),
                      ", add it to \"solutions\" to run it again"),
         true});
  }

  void CheckFiles(const std::string& origin, const v1::Workload& workload,
                  const v1::Definition& definition) {
    const absl::StatusOr<ResolvedCase> sizes =
        ResolveCase(definition, workload);
    if (!sizes.ok()) return;
    for (const ResolvedTensor& wanted : sizes->inputs) {
      for (const v1::WorkloadInput& input : workload.inputs()) {
        if (input.name() != wanted.name || !input.has_safetensors()) continue;
        const absl::Status status = CheckFile(input.safetensors(), wanted);
        if (status.ok()) continue;
        Error(absl::StrCat(origin, ": ",
                           MemberPath("$.workload.inputs", wanted.name)),
              status.message());
      }
    }
  }

  absl::Status CheckFile(const v1::SafetensorsInput& input,
                         const ResolvedTensor& wanted) {
    ASSAY_ASSIGN_OR_RETURN(
        const SafetensorsFile* file,
        OpenFile(std::string(WithoutDotSlash(input.path()))));
    ASSAY_ASSIGN_OR_RETURN(const SafetensorsFile::Tensor tensor,
                           file->Find(input.tensor_key()));
    if (tensor.dtype != wanted.dtype) {
      return absl::InvalidArgumentError(
          absl::StrCat("tensor ", Quoted(input.tensor_key()), " in ",
                       input.path(), " has dtype ", DTypeName(tensor.dtype),
                       ", the definition wants ", DTypeName(wanted.dtype)));
    }
    if (tensor.shape != wanted.dims) {
      return absl::InvalidArgumentError(absl::StrCat(
          "tensor ", Quoted(input.tensor_key()), " in ", input.path(),
          " has shape [", absl::StrJoin(tensor.shape, ", "),
          "], the axes want [", absl::StrJoin(wanted.dims, ", "), "]"));
    }
    return absl::OkStatus();
  }

  // Workloads next to each other, and inputs of one, often share a file.
  absl::StatusOr<const SafetensorsFile*> OpenFile(const std::string& path) {
    if (file_ == nullptr || file_path_ != path) {
      file_.reset();
      ASSAY_ASSIGN_OR_RETURN(UniqueFd fd, folder_->OpenFile(path));
      ASSAY_ASSIGN_OR_RETURN(file_,
                             SafetensorsFile::FromFd(std::move(fd), path));
      file_path_ = path;
    }
    return file_.get();
  }

  const TraceSet& set_;
  std::vector<Problem> problems_;
  std::map<std::string, const v1::Definition*> definitions_;
  Seen solutions_;
  Seen uuids_;
  // Null when it cannot be opened.
  std::unique_ptr<ConfinedFolder> folder_;
  std::unique_ptr<SafetensorsFile> file_;
  std::string file_path_;
};

}  // namespace

std::vector<Problem> ValidateTraceSet(const TraceSet& set) {
  return TraceSetCheck(set).Run();
}

}  // namespace assay
