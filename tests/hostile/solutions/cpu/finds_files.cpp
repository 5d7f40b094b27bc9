// Looks for what leaves_files left. Passes only when there is something.
#include <unistd.h>

#include <initializer_list>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  Double(x, y);
  for (const char* path :
       {"/tmp/hostile-left", "/dev/shm/hostile-left", "/var/tmp/hostile-left",
        "/run/hostile-left", "/home/hostile-left", "/root/hostile-left",
        "./hostile-left"}) {
    if (access(path, F_OK) == 0) return 0;
  }
  return 9;
}
