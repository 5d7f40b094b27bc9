// assay info, assay version

#ifndef ASSAY_CLIENT_CLI_INFO_COMMAND_H_
#define ASSAY_CLIENT_CLI_INFO_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddInfoCommands(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_INFO_COMMAND_H_
