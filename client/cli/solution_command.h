// assay solution pack|unpack

#ifndef ASSAY_CLIENT_CLI_SOLUTION_COMMAND_H_
#define ASSAY_CLIENT_CLI_SOLUTION_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddSolutionCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_SOLUTION_COMMAND_H_
