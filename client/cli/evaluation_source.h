// Where the settings of evaluations come from: flags, before a file, before
// what the worker does by itself.
//
//   ASSAY_ASSIGN_OR_RETURN(const EvaluationSource source,
//                          EvaluationSource::Open(flags, set.root, console));
//   source.For(definition, op_type);

#ifndef ASSAY_CLIENT_CLI_EVALUATION_SOURCE_H_
#define ASSAY_CLIENT_CLI_EVALUATION_SOURCE_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/evaluation.pb.h"
#include "client/cli/console.h"
#include "client/cli/evaluation_flags.h"
#include "client/client.h"
#include "client/config/eval_config.h"
#include "schema/trace_set.h"

namespace assay {

class EvaluationSource {
 public:
  // Reads the file that the flags name, else eval_config.yaml in the folder
  // `root`, where there is one, and says so. Empty: of no folder.
  // INVALID_ARGUMENT begins with the file and the line.
  static absl::StatusOr<EvaluationSource> Open(const EvaluationFlags& flags,
                                               const std::string& root,
                                               Console& console);

  // Finds the op_type of a definition.
  using OpTypeOf =
      std::function<absl::StatusOr<std::string>(const std::string& definition)>;

  // What to submit with a solution of the definition. What `op_type_of` is
  // asked for is only what the file needs; its errors are passed on.
  absl::StatusOr<v1::EvaluationConfig> For(const std::string& definition,
                                           const OpTypeOf& op_type_of) const;

 private:
  EvalConfig file_;
  v1::EvaluationConfig flags_;
};

// In the set, else at the coordinator. What is nowhere has none.
EvaluationSource::OpTypeOf FindOpType(const TraceSet& set, Client& client);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_EVALUATION_SOURCE_H_
