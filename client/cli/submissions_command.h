// assay submissions list|get

#ifndef ASSAY_CLIENT_CLI_SUBMISSIONS_COMMAND_H_
#define ASSAY_CLIENT_CLI_SUBMISSIONS_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddSubmissionsCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_SUBMISSIONS_COMMAND_H_
