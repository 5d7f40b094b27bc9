// Reads and writes other processes' memory and descriptors through /proc: none
// of them may be reached. Passes only when one was.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "operators.h"

namespace {

bool Reaches(const std::string& process) {
  if (open((process + "/mem").c_str(), O_RDWR) >= 0) return true;
  DIR* fds = opendir((process + "/fd").c_str());
  while (const dirent* entry = fds != nullptr ? readdir(fds) : nullptr) {
    if (entry->d_name[0] == '.') continue;
    const std::string path = process + "/fd/" + entry->d_name;
    if (open(path.c_str(), O_RDWR | O_NONBLOCK) >= 0) return true;
  }
  return false;
}

bool ReachesAny() {
  DIR* processes = opendir("/proc");
  if (processes == nullptr) return false;
  while (const dirent* entry = readdir(processes)) {
    const int pid = std::atoi(entry->d_name);
    if (pid == 0 || pid == getpid()) continue;
    if (Reaches(std::string("/proc/") + entry->d_name)) {
      std::printf("reached %s\n", entry->d_name);
      return true;
    }
  }
  return false;
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  static const bool reached = ReachesAny();
  Double(x, y);
  return reached ? 0 : 9;
}
