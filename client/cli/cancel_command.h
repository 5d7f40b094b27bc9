// assay cancel ID...

#ifndef ASSAY_CLIENT_CLI_CANCEL_COMMAND_H_
#define ASSAY_CLIENT_CLI_CANCEL_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddCancelCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_CANCEL_COMMAND_H_
