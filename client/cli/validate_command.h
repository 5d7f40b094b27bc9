// assay validate DIR

#ifndef ASSAY_CLIENT_CLI_VALIDATE_COMMAND_H_
#define ASSAY_CLIENT_CLI_VALIDATE_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddValidateCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_VALIDATE_COMMAND_H_
