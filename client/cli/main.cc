// assay: the command line client. See app.h.

#include <string>
#include <vector>

#include "client/cancellation.h"
#include "client/cli/app.h"
#include "client/cli/console.h"
#include "client/cli/interrupt.h"

int main(int argc, char** argv) {
  assay::Cancellation cancellation;
  const assay::Interrupt interrupt(cancellation);
  assay::Console console = assay::Console::Standard();
  const int code = assay::RunApp(
      std::vector<std::string>(argv + 1, argv + argc), console, cancellation);
  return interrupt.signal() != 0 ? 128 + interrupt.signal() : code;
}
