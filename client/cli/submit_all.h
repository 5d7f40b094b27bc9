// Submits what was planned.

#ifndef ASSAY_CLIENT_CLI_SUBMIT_ALL_H_
#define ASSAY_CLIENT_CLI_SUBMIT_ALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "assay/v1/evaluation_service.pb.h"
#include "client/cli/command.h"
#include "client/cli/evaluation_source.h"
#include "client/cli/plan.h"
#include "client/client.h"

namespace assay {

struct SubmitReport {
  std::vector<v1::Submission> submissions;
  // Solutions that the coordinator refused.
  int64_t refused = 0;
};

// One submission for each planned solution, on each of `hardware`. One that is
// refused is noted and does not stop the rest; an error means that the
// coordinator is unwell, and `report` says what it had taken by then.
absl::Status SubmitAll(CommandContext& context, Client& client,
                       const Plan& plan,
                       const std::vector<std::string>& hardware,
                       const EvaluationSource& evaluation,
                       const EvaluationSource::OpTypeOf& op_type_of,
                       int priority, SubmitReport& report);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_SUBMIT_ALL_H_
