// Keeps the descriptors that memory comes in, opens them anew for writing and
// changes inputs and the size of outputs: seals refuse both.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "operators.h"
#include "patch_calls.h"

namespace {

std::vector<int> kept;

ssize_t Receive(int fd, msghdr* message, int flags) {
  const ssize_t got = syscall(SYS_recvmsg, fd, message, flags);
  for (cmsghdr* control = got > 0 ? CMSG_FIRSTHDR(message) : nullptr;
       control != nullptr; control = CMSG_NXTHDR(message, control)) {
    if (control->cmsg_type != SCM_RIGHTS) continue;
    const int* fds = reinterpret_cast<const int*>(CMSG_DATA(control));
    const size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) kept.push_back(dup(fds[i]));
  }
  return got;
}

__attribute__((constructor)) void Patch() {
  PatchCalls("recvmsg", reinterpret_cast<void*>(&Receive));
}

// Whether one could be written to or cut although it is an input, or cut.
bool Change(int fd, bool is_input) {
  if (ftruncate(fd, 0) == 0) return true;
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  const int again = open(path.c_str(), O_RDWR);
  if (again < 0 || !is_input) return false;
  void* memory =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0);
  if (memory == MAP_FAILED) return pwrite(again, "x", 1, 0) == 1;
  std::memset(memory, 0, 64);
  return true;
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  Double(x, y);
  // The last two that came: inputs, then outputs.
  if (kept.size() < 2) return 9;
  const bool changed =
      Change(kept[kept.size() - 2], true) | Change(kept.back(), false);
  return changed ? 0 : 9;
}
