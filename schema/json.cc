#include "schema/json.h"

#include <vector>

#include "base/status_macros.h"
#include "schema/json_objects.h"
#include "schema/json_parser.h"
#include "schema/problem.h"

namespace assay {
namespace {

using json_internal::ToJson;

// `read` turns the tree into a message and collects problems.
template <typename T, typename Read>
absl::StatusOr<T> FromText(absl::string_view text, Read read) {
  ASSAY_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  std::vector<Problem> problems;
  T object = read(json, problems);
  ASSAY_RETURN_IF_ERROR(ToStatus(problems));
  return object;
}

std::string ToText(const Json& json, JsonStyle style) {
  if (style == JsonStyle::kCompact) return DumpJson(json);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

absl::StatusOr<v1::Definition> DefinitionFromJson(absl::string_view text) {
  return FromText<v1::Definition>(text, json_internal::ReadDefinition);
}

absl::StatusOr<v1::Solution> SolutionFromJson(absl::string_view text) {
  return FromText<v1::Solution>(text, json_internal::ReadSolution);
}

absl::StatusOr<v1::Workload> WorkloadFromJson(absl::string_view text) {
  return FromText<v1::Workload>(
      text, [](const Json& json, std::vector<Problem>& problems) {
        return json_internal::ReadWorkload(json, "$", problems);
      });
}

absl::StatusOr<v1::Evaluation> EvaluationFromJson(absl::string_view text) {
  return FromText<v1::Evaluation>(
      text, [](const Json& json, std::vector<Problem>& problems) {
        return json_internal::ReadEvaluation(json, "$", problems);
      });
}

absl::StatusOr<v1::Trace> TraceFromJson(absl::string_view text) {
  return FromText<v1::Trace>(text, json_internal::ReadTrace);
}

std::string DefinitionToJson(const v1::Definition& definition,
                             JsonStyle style) {
  return ToText(ToJson(definition), style);
}

std::string SolutionToJson(const v1::Solution& solution, JsonStyle style) {
  return ToText(ToJson(solution), style);
}

std::string WorkloadToJson(const v1::Workload& workload, JsonStyle style) {
  return ToText(ToJson(workload), style);
}

std::string EvaluationToJson(const v1::Evaluation& evaluation,
                             JsonStyle style) {
  return ToText(ToJson(evaluation), style);
}

std::string TraceToJson(const v1::Trace& trace, JsonStyle style) {
  return ToText(ToJson(trace), style);
}

}  // namespace assay
