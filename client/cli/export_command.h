// assay export DIR

#ifndef ASSAY_CLIENT_CLI_EXPORT_COMMAND_H_
#define ASSAY_CLIENT_CLI_EXPORT_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddExportCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_EXPORT_COMMAND_H_
