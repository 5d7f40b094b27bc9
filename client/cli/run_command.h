// assay run --local DIR

#ifndef ASSAY_CLIENT_CLI_RUN_COMMAND_H_
#define ASSAY_CLIENT_CLI_RUN_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

// Evaluates a trace set with a coordinator and a worker of its own.
void AddRunCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_RUN_COMMAND_H_
