// Lints the definitions of a folder before anybody else has seen them.

#ifndef ASSAY_CLIENT_CLI_LOCAL_LINT_H_
#define ASSAY_CLIENT_CLI_LOCAL_LINT_H_

#include "absl/status/statusor.h"
#include "client/cli/command.h"
#include "client/cli/evaluation_flags.h"
#include "client/cli/local_stack.h"
#include "client/lint.h"
#include "schema/trace_set.h"

namespace assay {

// Lints with a coordinator and a worker of its own, which end with the call; of
// the set only definitions and workloads take part. Call it on the main thread,
// see LocalStack.
absl::StatusOr<LintReport> LintHere(CommandContext& context,
                                    const TraceSet& set,
                                    LocalStack::Options stack,
                                    LintOptions options);

// Few calls are enough to see what a probe is; what the flags say goes first.
v1::EvaluationConfig LintConfig(const EvaluationFlags& flags);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_LOCAL_LINT_H_
