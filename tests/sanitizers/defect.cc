// assay-defect: does what a sanitizer has to report, or what it must not:
//   assay-defect race|grpc-race|use-after-free|overflow|leak|none
// tools/sanitizers.sh runs it, since a sanitizer that is silent proves nothing.

#include <grpcpp/alarm.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string_view>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"

namespace {

// The compiler must not see what comes.
template <typename T>
T Opaque(T value) {
  volatile T hidden = value;
  return hidden;
}

// Two threads write one field, and the mutex that one of them takes is no
// excuse.
void Race() {
  absl::Mutex mutex;
  int64_t value = 0;
  std::thread other([&] {
    absl::MutexLock lock(&mutex);
    ++value;
  });
  ++value;
  other.join();
  std::printf("%d\n", static_cast<int>(value));
}

// What gRPC does goes unreported, but not what we do when it calls us.
void RaceInGrpc() {
  int64_t value = 0;
  std::atomic<bool> done = false;
  grpc::Alarm alarm;
  alarm.Set(std::chrono::system_clock::now(), [&](bool) {
    ++value;
    done.store(true, std::memory_order_relaxed);
  });
  ++value;
  while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::printf("%d\n", static_cast<int>(value));
}

void UseAfterFree() {
  auto value = std::make_unique<int>(1);
  const int* const kept = Opaque(value.get());
  value.reset();
  std::printf("%d\n", *kept);
}

void Overflow() {
  const int most = Opaque(std::numeric_limits<int>::max());
  std::printf("%d\n", most + 1);
}

void Leak() {
  int* lost = Opaque(new int(1));
  std::printf("%d\n", *lost);
  lost = Opaque<int*>(nullptr);
}

// All ways by which threads tell one another what they did.
void None() {
  absl::Mutex mutex;
  absl::Notification told;
  absl::Notification polled;
  int guarded = 0;
  bool ready = false;
  int before_told = 0;
  int before_polled = 0;
  std::thread other([&] {
    before_polled = 1;
    polled.Notify();
    before_told = 1;
    told.Notify();
    absl::MutexLock lock(&mutex);
    ++guarded;
    ready = true;
  });
  while (!polled.HasBeenNotified()) std::this_thread::yield();
  ++before_polled;
  told.WaitForNotification();
  ++before_told;
  {
    absl::MutexLock lock(&mutex);
    mutex.Await(absl::Condition(&ready));
    ++guarded;
  }
  other.join();
  std::printf("%d %d %d\n", guarded, before_told, before_polled);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view defect = argc == 2 ? argv[1] : "";
  if (defect == "race") {
    Race();
  } else if (defect == "grpc-race") {
    RaceInGrpc();
  } else if (defect == "use-after-free") {
    UseAfterFree();
  } else if (defect == "overflow") {
    Overflow();
  } else if (defect == "leak") {
    Leak();
  } else if (defect == "none") {
    None();
  } else {
    std::fprintf(stderr,
                 "usage: assay-defect "
                 "race|grpc-race|use-after-free|overflow|leak|none\n");
    return 2;
  }
  return 0;
}
