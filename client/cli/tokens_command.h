// assay tokens create|list|revoke

#ifndef ASSAY_CLIENT_CLI_TOKENS_COMMAND_H_
#define ASSAY_CLIENT_CLI_TOKENS_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddTokensCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_TOKENS_COMMAND_H_
