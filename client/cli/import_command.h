// assay import DIR

#ifndef ASSAY_CLIENT_CLI_IMPORT_COMMAND_H_
#define ASSAY_CLIENT_CLI_IMPORT_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddImportCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_IMPORT_COMMAND_H_
