// Numbers the changes of one unit of work and collects its effects.

#ifndef ASSAY_SERVER_STORE_CHANGE_LOG_H_
#define ASSAY_SERVER_STORE_CHANGE_LOG_H_

#include <cstdint>
#include <utility>

#include "server/store/effects.h"

namespace assay {

// Not thread-safe.
class ChangeLog {
 public:
  // `counter` is the number of the latest change in the store; numbers that a
  // rolled back unit of work took are not used again. It outlives this.
  ChangeLog(int64_t& counter, int64_t now_us)
      : counter_(counter), now_us_(now_us) {}

  int64_t NextChange() { return ++counter_; }
  // When the unit of work runs.
  int64_t now_us() const { return now_us_; }
  Effects& effects() { return effects_; }
  Effects TakeEffects() { return std::exchange(effects_, {}); }

 private:
  int64_t& counter_;
  const int64_t now_us_;
  Effects effects_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_CHANGE_LOG_H_
