// assay report summary|best|visualize DIR..., assay report merge DIR...

#ifndef ASSAY_CLIENT_CLI_REPORT_COMMAND_H_
#define ASSAY_CLIENT_CLI_REPORT_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddReportCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_REPORT_COMMAND_H_
