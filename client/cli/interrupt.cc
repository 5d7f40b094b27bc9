#include "client/cli/interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdint>

#include "client/cli/last_resort.h"

namespace assay {

Interrupt::Interrupt(Cancellation& cancellation) : cancellation_(cancellation) {
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGINT);
  sigaddset(&watched, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &watched, &old_mask_);
  ::signal(SIGPIPE, SIG_IGN);
  signals_.Reset(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
  stop_.Reset(eventfd(0, EFD_CLOEXEC));
  thread_ = std::thread([this] { Run(); });
}

Interrupt::~Interrupt() {
  const uint64_t one = 1;
  // An eventfd that is full is readable all the same.
  [[maybe_unused]] const ssize_t written =
      write(stop_.get(), &one, sizeof(one));
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void Interrupt::Run() {
  while (true) {
    pollfd ready[] = {{signals_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
    if (poll(ready, 2, -1) < 0) continue;
    if (ready[1].revents != 0) return;
    signalfd_siginfo info;
    if (read(signals_.get(), &info, sizeof(info)) != sizeof(info)) continue;
    const int number = static_cast<int>(info.ssi_signo);
    // Whoever asks twice does not want to wait for the tidying up.
    if (signal_ != 0) {
      LastResort::CarryOutAll();
      _exit(128 + number);
    }
    signal_ = number;
    cancellation_.Cancel();
  }
}

}  // namespace assay
