// Turns Ctrl-C into an orderly end.
//
//   Interrupt interrupt(cancellation);   // first thing in main
//   ...
//   if (interrupt.signal() != 0) return 128 + interrupt.signal();

#ifndef ASSAY_CLIENT_CLI_INTERRUPT_H_
#define ASSAY_CLIENT_CLI_INTERRUPT_H_

#include <signal.h>

#include <atomic>
#include <thread>

#include "base/fd.h"
#include "client/cancellation.h"

namespace assay {

// While it exists, the first SIGINT or SIGTERM uses the cancellation, and a
// second one ends the process at once, after what last_resort.h has been told
// of. Create it before any other thread, so that all of them leave these
// signals to its own. SIGPIPE is ignored: a closed pipe shows as a failed
// write. The cancellation outlives it.
class Interrupt {
 public:
  explicit Interrupt(Cancellation& cancellation);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // The signal that came, or 0.
  int signal() const { return signal_; }

 private:
  void Run();

  Cancellation& cancellation_;
  std::atomic<int> signal_{0};
  sigset_t old_mask_;
  UniqueFd signals_;
  // Readable once the thread is to end.
  UniqueFd stop_;
  std::thread thread_;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_INTERRUPT_H_
