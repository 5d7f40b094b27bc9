// The folder that a compiler works in, and what it may use there.
//
//   ASSAY_RETURN_IF_ERROR(WriteBuildFolder(plan, folder));
//   sandbox.Run(launcher, BuildProfile(toolchain, folder),
//               *toolchain.Command(plan, kBuiltLibrary), timeout);
//   // The library is folder + "/lib.so".

#ifndef ASSAY_WORKER_BUILD_BUILD_FOLDER_H_
#define ASSAY_WORKER_BUILD_BUILD_FOLDER_H_

#include <string>

#include "absl/status/status.h"
#include "worker/build/build_plan.h"
#include "worker/build/toolchain.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

// The library's path as the compiler sees it, from the folder of the sources.
inline constexpr char kBuiltLibrary[] = "../lib.so";

// Makes the folders of the sources and of temporary files in `folder`, and
// writes the sources.
absl::Status WriteBuildFolder(const BuildPlan& plan, const std::string& folder);

// A confined compiler that works in `folder`.
SandboxProfile BuildProfile(const Toolchain& toolchain,
                            const std::string& folder);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_BUILD_FOLDER_H_
