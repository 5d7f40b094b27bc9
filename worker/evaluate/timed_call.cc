#include "worker/evaluate/timed_call.h"

#include <algorithm>

namespace assay {

std::vector<TimedCall> FasterHalf(std::vector<TimedCall> calls) {
  std::stable_sort(calls.begin(), calls.end(),
                   [](const TimedCall& a, const TimedCall& b) {
                     return a.call_ns < b.call_ns;
                   });
  calls.resize((calls.size() + 1) / 2);
  return calls;
}

}  // namespace assay
