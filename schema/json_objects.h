// Between JSON trees and messages, for the implementation of json.h: traces
// contain workloads and evaluations.

#ifndef ASSAY_SCHEMA_JSON_OBJECTS_H_
#define ASSAY_SCHEMA_JSON_OBJECTS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/solution.pb.h"
#include "assay/v1/workload.pb.h"
#include "schema/json_object.h"
#include "schema/json_parser.h"
#include "schema/problem.h"

namespace assay::json_internal {

// What is wrong with `value` is added to `problems`; `path` is where it stands.
using Problems = std::vector<Problem>;
v1::Definition ReadDefinition(const Json& value, Problems& problems);
v1::Solution ReadSolution(const Json& value, Problems& problems);
v1::Workload ReadWorkload(const Json& value, const std::string& path,
                          Problems& problems);
v1::Evaluation ReadEvaluation(const Json& value, const std::string& path,
                              Problems& problems);
v1::Trace ReadTrace(const Json& value, Problems& problems);

Json ToJson(const v1::Definition& definition);
Json ToJson(const v1::Solution& solution);
Json ToJson(const v1::Workload& workload);
Json ToJson(const v1::Evaluation& evaluation);
Json ToJson(const v1::Trace& trace);

// Assay's additions to an evaluation. ReadAssayMember leaves what it does not
// know in the member `assay` of `unknown_json`.
void ReadAssayMember(const Json& value, const std::string& path,
                     Problems& problems, v1::Evaluation& evaluation);
// Null when there are no additions.
Json AssayMember(const v1::Evaluation& evaluation);

}  // namespace assay::json_internal

#endif  // ASSAY_SCHEMA_JSON_OBJECTS_H_
