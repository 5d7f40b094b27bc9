// Functions of the driver and of CUPTI, which solutions are not linked with.

#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

// Null when the driver has none of that name.
template <typename Function>
Function FromDriver(const char* name) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  return library == nullptr ? nullptr
                            : reinterpret_cast<Function>(dlsym(library, name));
}

// The CUPTI that the harness has loaded. Null when there is none.
inline void* FindCupti() {
  FILE* maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return nullptr;
  char line[1024];
  void* library = nullptr;
  while (library == nullptr &&
         std::fgets(line, sizeof(line), maps) != nullptr) {
    char* path = std::strchr(line, '/');
    if (path == nullptr || std::strstr(path, "libcupti") == nullptr) continue;
    path[std::strcspn(path, "\n")] = '\0';
    library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  }
  std::fclose(maps);
  return library;
}

template <typename Function>
Function FromCupti(const char* name) {
  void* library = FindCupti();
  return library == nullptr ? nullptr
                            : reinterpret_cast<Function>(dlsym(library, name));
}
