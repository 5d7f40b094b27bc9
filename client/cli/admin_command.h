// `assay admin`: for those who run the coordinator.

#ifndef ASSAY_CLIENT_CLI_ADMIN_COMMAND_H_
#define ASSAY_CLIENT_CLI_ADMIN_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddAdminCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_ADMIN_COMMAND_H_
