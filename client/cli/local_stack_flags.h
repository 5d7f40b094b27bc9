// The flags of commands that start a coordinator and a worker of their own.

#ifndef ASSAY_CLIENT_CLI_LOCAL_STACK_FLAGS_H_
#define ASSAY_CLIENT_CLI_LOCAL_STACK_FLAGS_H_

#include "client/cli/command_line.h"
#include "client/cli/local_stack.h"

namespace assay {

// `--cache`, `--sandbox` and `--bin-dir`. `options` outlives the command.
void AddLocalStackFlags(Command command, LocalStack::Options& options);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_LOCAL_STACK_FLAGS_H_
