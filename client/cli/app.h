// The whole of `assay`, from arguments to exit code.

#ifndef ASSAY_CLIENT_CLI_APP_H_
#define ASSAY_CLIENT_CLI_APP_H_

#include <string>
#include <vector>

#include "client/cancellation.h"
#include "client/cli/console.h"

namespace assay {

// Runs the command that `arguments`, without the program's name, ask for.
// Errors are printed, with `--json` also as {"error": {...}}. Returns the exit
// code, see exit_code.h.
int RunApp(const std::vector<std::string>& arguments, Console& console,
           Cancellation& cancellation);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_APP_H_
