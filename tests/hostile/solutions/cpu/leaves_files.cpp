// Leaves files in every place that it can write to. A right answer by itself;
// what counts is that finds_files finds none of them.
#include <cstdio>
#include <initializer_list>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  for (const char* path :
       {"/tmp/hostile-left", "/dev/shm/hostile-left", "/var/tmp/hostile-left",
        "/run/hostile-left", "/home/hostile-left", "/root/hostile-left",
        "./hostile-left"}) {
    if (FILE* file = std::fopen(path, "w")) {
      std::fputs("left", file);
      std::fclose(file);
    }
  }
  LogSoftmax(x, y);
  return 0;
}
