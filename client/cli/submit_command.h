// assay submit FILE|DIR|NAME

#ifndef ASSAY_CLIENT_CLI_SUBMIT_COMMAND_H_
#define ASSAY_CLIENT_CLI_SUBMIT_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddSubmitCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_SUBMIT_COMMAND_H_
