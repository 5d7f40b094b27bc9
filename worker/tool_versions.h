// Versions of what solutions are built and run with, for evaluations.

#ifndef ASSAY_WORKER_TOOL_VERSIONS_H_
#define ASSAY_WORKER_TOOL_VERSIONS_H_

#include <map>
#include <string>

#include "worker/launcher/launcher.h"
#include "worker/worker_options.h"

namespace assay {

// Tool or library to version, of what is there: gcc, python, torch, numpy,
// apache-tvm-ffi. Takes a fraction of a second.
std::map<std::string, std::string> ToolVersions(Launcher& launcher,
                                                const std::string& python,
                                                const WorkerFiles& files);

}  // namespace assay

#endif  // ASSAY_WORKER_TOOL_VERSIONS_H_
