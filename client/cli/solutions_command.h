// assay solutions list|get

#ifndef ASSAY_CLIENT_CLI_SOLUTIONS_COMMAND_H_
#define ASSAY_CLIENT_CLI_SOLUTIONS_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddSolutionsCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_SOLUTIONS_COMMAND_H_
