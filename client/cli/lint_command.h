// assay lint FOLDER | DEFINITION...

#ifndef ASSAY_CLIENT_CLI_LINT_COMMAND_H_
#define ASSAY_CLIENT_CLI_LINT_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

// Looks for definitions whose tolerance lets wrong answers pass: in a folder
// with programs of its own, or in the coordinator.
void AddLintCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_LINT_COMMAND_H_
