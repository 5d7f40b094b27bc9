#include "client/report/merge.h"

#include <map>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "schema/json.h"
#include "schema/problem.h"
#include "schema/trace_set_writer.h"

namespace assay {
namespace {

std::string JsonOf(const v1::Definition& definition) {
  return DefinitionToJson(definition);
}
std::string JsonOf(const v1::Solution& solution) {
  return SolutionToJson(solution);
}
std::string JsonOf(const v1::Trace& trace) { return TraceToJson(trace); }

std::string NameOf(const v1::Definition& definition) {
  return definition.name();
}
std::string NameOf(const v1::Solution& solution) { return solution.name(); }
std::string NameOf(const v1::Trace& workload) {
  return workload.workload().uuid();
}

// Things of one kind, each once.
template <typename T>
class Unique {
 public:
  // `kind` is for messages: "definition".
  explicit Unique(const char* kind) : kind_(kind) {}

  // ALREADY_EXISTS when there is another of the name.
  absl::Status Add(const std::string& root,
                   const std::vector<TraceSetItem<T>>& items) {
    for (const TraceSetItem<T>& item : items) {
      const std::string place = absl::StrCat(root, "/", item.origin);
      std::string content = JsonOf(item.value);
      const auto known = known_.find(NameOf(item.value));
      if (known == known_.end()) {
        items_.push_back({place, item.value});
        known_[NameOf(item.value)] = {place, std::move(content)};
      } else if (known->second.content != content) {
        return absl::AlreadyExistsError(
            absl::StrCat("the ", kind_, " \"", known->first,
                         "\" differs between ", known->second.place, " and ",
                         place, ": rename one, or leave one out"));
      }
    }
    return absl::OkStatus();
  }

  std::vector<TraceSetItem<T>> Release() { return std::move(items_); }

 private:
  struct Known {
    std::string place;
    std::string content;
  };
  const char* const kind_;
  std::vector<TraceSetItem<T>> items_;
  std::map<std::string, Known> known_;
};

// Measured many times is many traces; the same line is one.
std::vector<TraceSetItem<v1::Trace>> DistinctTraces(
    const std::vector<TraceSet>& sets) {
  std::set<std::string> known;
  std::vector<TraceSetItem<v1::Trace>> traces;
  for (const TraceSet& set : sets) {
    for (const auto& item : set.traces) {
      if (!known.insert(JsonOf(item.value)).second) continue;
      traces.push_back({absl::StrCat(set.root, "/", item.origin), item.value});
    }
  }
  return traces;
}

absl::StatusOr<TraceSet> Combine(const std::vector<TraceSet>& sets) {
  Unique<v1::Definition> definitions("definition");
  Unique<v1::Solution> solutions("solution");
  Unique<v1::Trace> workloads("workload");
  for (const TraceSet& set : sets) {
    ASSAY_RETURN_IF_ERROR(Annotate(ToStatus(set.problems), set.root));
    ASSAY_RETURN_IF_ERROR(definitions.Add(set.root, set.definitions));
    ASSAY_RETURN_IF_ERROR(solutions.Add(set.root, set.solutions));
    ASSAY_RETURN_IF_ERROR(workloads.Add(set.root, set.workloads));
  }
  TraceSet merged;
  merged.definitions = definitions.Release();
  merged.solutions = solutions.Release();
  merged.workloads = workloads.Release();
  merged.traces = DistinctTraces(sets);
  return merged;
}

}  // namespace

absl::StatusOr<MergeReport> MergeTraceSets(const std::vector<TraceSet>& sets,
                                           const std::string& output) {
  // Before anything is written.
  ASSAY_ASSIGN_OR_RETURN(const TraceSet merged, Combine(sets));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<TraceSetWriter> writer,
                         TraceSetWriter::Create(output));
  ASSAY_RETURN_IF_ERROR(AddItems(merged, *writer));
  for (const TraceSet& set : sets) {
    ASSAY_RETURN_IF_ERROR(Annotate(CopyBlobs(set, *writer), set.root));
  }
  MergeReport report;
  report.definitions = static_cast<int64_t>(merged.definitions.size());
  report.solutions = static_cast<int64_t>(merged.solutions.size());
  report.workloads = static_cast<int64_t>(merged.workloads.size());
  report.traces = static_cast<int64_t>(merged.traces.size());
  return report;
}

}  // namespace assay
