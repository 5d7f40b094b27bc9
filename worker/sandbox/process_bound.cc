#include "worker/sandbox/process_bound.h"

#include <sys/utsname.h>

#include <cstdio>
#include <utility>

namespace assay {

std::string KernelRelease() {
  utsname name;
  return uname(&name) == 0 ? name.release : "";
}

bool CanBoundProcesses(uid_t user, const std::string& kernel_release) {
  constexpr std::pair kCountsByNamespace = {5, 14};
  std::pair<int, int> version;
  if (std::sscanf(kernel_release.c_str(), "%d.%d", &version.first,
                  &version.second) != 2) {
    return false;
  }
  return user != 0 && version >= kCountsByNamespace;
}

}  // namespace assay
