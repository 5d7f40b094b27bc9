// assay definitions list|get

#ifndef ASSAY_CLIENT_CLI_DEFINITIONS_COMMAND_H_
#define ASSAY_CLIENT_CLI_DEFINITIONS_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddDefinitionsCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_DEFINITIONS_COMMAND_H_
