// Looks for a secret in the environment of every process: none is readable.
// Passes only when it found the one that the test left in the worker's.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "operators.h"

namespace {

bool Finds(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY);
  if (fd < 0) return false;
  std::string text(1 << 16, '\0');
  const ssize_t got = read(fd, text.data(), text.size());
  close(fd);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return text.find("HOSTILE_TEST_SECRET") != std::string::npos;
}

bool FindsAny() {
  DIR* processes = opendir("/proc");
  while (const dirent* entry =
             processes != nullptr ? readdir(processes) : nullptr) {
    if (Finds(std::string("/proc/") + entry->d_name + "/environ")) return true;
  }
  return false;
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  static const bool found = FindsAny();
  Double(x, y);
  return found ? 0 : 9;
}
