#include "worker/device/device_state.h"

#include <algorithm>
#include <set>
#include <string>

namespace assay {

bool IsSlowedDown(const v1::DeviceState& state) {
  return std::any_of(
      state.throttle_reasons().begin(), state.throttle_reasons().end(),
      [](const std::string& word) { return word != "power_cap"; });
}

void AddReading(const v1::DeviceState& reading, v1::DeviceState& state) {
  const bool is_first = state.max_sm_clock_mhz() == 0;
  state.set_min_sm_clock_mhz(is_first ? reading.min_sm_clock_mhz()
                                      : std::min(state.min_sm_clock_mhz(),
                                                 reading.min_sm_clock_mhz()));
  state.set_max_sm_clock_mhz(
      std::max(state.max_sm_clock_mhz(), reading.max_sm_clock_mhz()));
  state.set_memory_clock_mhz(
      std::max(state.memory_clock_mhz(), reading.memory_clock_mhz()));
  state.set_max_temperature_c(
      std::max(state.max_temperature_c(), reading.max_temperature_c()));
  std::set<std::string> words(state.throttle_reasons().begin(),
                              state.throttle_reasons().end());
  words.insert(reading.throttle_reasons().begin(),
               reading.throttle_reasons().end());
  state.clear_throttle_reasons();
  for (const std::string& word : words) state.add_throttle_reasons(word);
}

}  // namespace assay
