#include "client/cli/local_stack_flags.h"

namespace assay {

void AddLocalStackFlags(Command command, LocalStack::Options& options) {
  constexpr char kGroup[] = "Programs started here";
  command.Text("--cache", options.cache_dir,
               {"Folder for the worker's cache", "DIR", kGroup});
  command.Choice("--sandbox", options.sandbox, {"strict", "best-effort", "off"},
                 {"How solutions are confined (default: strict)", "", kGroup});
  command.Text("--bin-dir", options.program_dir,
               {"Folder of assay-coordinator and assay-worker (default: "
                "$ASSAY_BIN_DIR, else that of this program)",
                "DIR", kGroup});
}

}  // namespace assay
