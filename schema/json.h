// The objects of the FlashInfer-Trace schema as JSON text.
//
//   ASSAY_ASSIGN_OR_RETURN(v1::Definition definition,
//   DefinitionFromJson(text)); std::string line = DefinitionToJson(definition);
//
// Reading checks form and types, not meaning (that is validate.h). The order of
// axes, inputs and outputs is kept, members that the schema does not define are
// kept in `unknown_json`, and both are written back. A text that cannot be read
// is INVALID_ARGUMENT: a syntax error with line and column, a wrong type with
// the JSON path, the offending value and what was expected; several are
// reported at once. Thread-safe.

#ifndef ASSAY_SCHEMA_JSON_H_
#define ASSAY_SCHEMA_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/solution.pb.h"
#include "assay/v1/workload.pb.h"

namespace assay {

enum class JsonStyle {
  // One line, as in .jsonl files.
  kCompact,
  // Indented by two spaces, with a newline at the end.
  kPretty,
};

// `reference` may be absent, as in the unpacked form on disk; it is then empty.
absl::StatusOr<v1::Definition> DefinitionFromJson(absl::string_view text);
// `content` of a source may be absent, as in the unpacked form on disk; it is
// then empty.
absl::StatusOr<v1::Solution> SolutionFromJson(absl::string_view text);
absl::StatusOr<v1::Workload> WorkloadFromJson(absl::string_view text);
absl::StatusOr<v1::Evaluation> EvaluationFromJson(absl::string_view text);
absl::StatusOr<v1::Trace> TraceFromJson(absl::string_view text);

std::string DefinitionToJson(const v1::Definition& definition,
                             JsonStyle style = JsonStyle::kCompact);
std::string SolutionToJson(const v1::Solution& solution,
                           JsonStyle style = JsonStyle::kCompact);
std::string WorkloadToJson(const v1::Workload& workload,
                           JsonStyle style = JsonStyle::kCompact);
// The members that FlashInfer-Bench expects, `correctness` and `performance`
// null when absent, and Assay's additions under the one further member `assay`.
// Whether they fit the status is for ValidateTrace to say.
std::string EvaluationToJson(const v1::Evaluation& evaluation,
                             JsonStyle style = JsonStyle::kCompact);
std::string TraceToJson(const v1::Trace& trace,
                        JsonStyle style = JsonStyle::kCompact);

}  // namespace assay

#endif  // ASSAY_SCHEMA_JSON_H_
