#include "server/metrics/own_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <thread>

namespace assay {
namespace {

TEST(OwnProcessTest, CountsWhatIsOpen) {
  const OwnProcess before = ReadOwnProcess();
  const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const OwnProcess after = ReadOwnProcess();
  close(fd);
  EXPECT_EQ(after.open_fds, before.open_fds + 1);
  EXPECT_GT(after.max_fds, after.open_fds);
}

TEST(OwnProcessTest, CountsResidentMemory) {
  constexpr size_t kBytes = 64 << 20;
  const OwnProcess before = ReadOwnProcess();
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::memset(memory, 1, kBytes);
  const OwnProcess after = ReadOwnProcess();
  munmap(memory, kBytes);
  EXPECT_GT(after.resident_bytes,
            before.resident_bytes + int64_t{60} * (1 << 20));
  EXPECT_GT(after.cpu_seconds, 0);
}

TEST(OwnProcessTest, CountsThreads) {
  OwnProcess one;
  OwnProcess two;
  // Beside the first thread a sanitizer starts one of its own.
  std::thread([&] {
    one = ReadOwnProcess();
    std::thread([&] { two = ReadOwnProcess(); }).join();
  }).join();
  EXPECT_EQ(two.threads, one.threads + 1);
}

}  // namespace
}  // namespace assay
