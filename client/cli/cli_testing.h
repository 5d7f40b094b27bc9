// Runs commands in tests as a shell would.

#ifndef ASSAY_CLIENT_CLI_CLI_TESTING_H_
#define ASSAY_CLIENT_CLI_CLI_TESTING_H_

#include <sstream>
#include <string>
#include <vector>

#include "client/cancellation.h"
#include "client/cli/app.h"
#include "client/cli/console.h"

namespace assay {

struct CliResult {
  int code = 0;
  std::string out;
  std::string err;
};

// With piped output, unless `width` says how wide the terminal is.
// `cancellation` is what Ctrl-C would use.
inline CliResult RunCli(const std::vector<std::string>& arguments, int width,
                        Cancellation& cancellation) {
  std::ostringstream out;
  std::ostringstream err;
  Console::Options options;
  options.out = &out;
  options.err = &err;
  options.out_is_terminal = width > 0;
  options.width = width;
  Console console(options);
  CliResult result;
  result.code = RunApp(arguments, console, cancellation);
  result.out = out.str();
  result.err = err.str();
  return result;
}

inline CliResult RunCli(const std::vector<std::string>& arguments,
                        int width = 0) {
  Cancellation cancellation;
  return RunCli(arguments, width, cancellation);
}

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_CLI_TESTING_H_
