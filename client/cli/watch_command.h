// assay watch ID...

#ifndef ASSAY_CLIENT_CLI_WATCH_COMMAND_H_
#define ASSAY_CLIENT_CLI_WATCH_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddWatchCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_WATCH_COMMAND_H_
