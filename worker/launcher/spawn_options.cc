#include "worker/launcher/spawn_options.h"

#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace assay {

std::string DescribeSignal(int signal) {
  const char* description = sigdescr_np(signal);
  if (description == nullptr) return absl::StrCat("killed by signal ", signal);
  std::string name = description;
  name[0] =
      static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return absl::StrCat("killed by signal ", signal, " (", name, ")");
}

std::string ExitStatus::Describe() const {
  if (WIFSIGNALED(wait_status)) return DescribeSignal(WTERMSIG(wait_status));
  return absl::StrCat("exit code ", WEXITSTATUS(wait_status));
}

}  // namespace assay
