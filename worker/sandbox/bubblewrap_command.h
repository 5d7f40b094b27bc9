// The command line that starts a program in bubblewrap.

#ifndef ASSAY_WORKER_SANDBOX_BUBBLEWRAP_COMMAND_H_
#define ASSAY_WORKER_SANDBOX_BUBBLEWRAP_COMMAND_H_

#include <string>
#include <vector>

#include "worker/sandbox/sandbox_profile.h"

namespace assay {

// `bubblewrap` is the absolute path of bwrap; `hidden_paths` are folders that
// appear empty.
std::vector<std::string> BubblewrapCommand(
    const std::string& bubblewrap, const std::vector<std::string>& hidden_paths,
    const SandboxProfile& profile, const std::vector<std::string>& command);

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_BUBBLEWRAP_COMMAND_H_
