#include "worker/cuda/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// The library's interface as its documentation has it; its header is not part
// of CUDA's compiler packages.
using Result = int;
constexpr Result kSuccess = 0;
constexpr Result kNotSupported = 3;
constexpr Result kNoPermission = 4;
constexpr Result kInsufficientSize = 7;
constexpr unsigned kSmClock = 1;
constexpr unsigned kMemoryClock = 2;
constexpr unsigned kGpuTemperature = 0;

struct ProcessInfo {
  unsigned pid;
  uint64_t used_bytes;
  unsigned gpu_instance;
  unsigned compute_instance;
};

constexpr std::pair<uint64_t, absl::string_view> kReasons[] = {
    {0x04, "power_cap"}, {0x08, "hardware_slowdown"}, {0x10, "sync_boost"},
    {0x20, "thermal"},   {0x40, "thermal"},           {0x80, "power_brake"},
};

}  // namespace

struct Nvml::Library {
  Result (*init)();
  const char* (*error_string)(Result);
  Result (*handle_by_uuid)(const char* uuid, void** device);
  Result (*clock_info)(void* device, unsigned type, unsigned* mhz);
  Result (*max_clock_info)(void* device, unsigned type, unsigned* mhz);
  Result (*temperature)(void* device, unsigned sensor, unsigned* celsius);
  Result (*throttle_reasons)(void* device, uint64_t* reasons);
  Result (*ecc_mode)(void* device, unsigned* current, unsigned* pending);
  Result (*driver_version)(char* version, unsigned length);
  Result (*minor_number)(void* device, unsigned* minor);
  Result (*compute_processes)(void* device, unsigned* count,
                              ProcessInfo* infos);
};

absl::StatusOr<const Nvml::Library*> Nvml::Load() {
  static const auto* const loaded = new absl::StatusOr<const Library*>(
      []() -> absl::StatusOr<const Library*> {
        void* handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
          return absl::FailedPreconditionError(absl::StrCat(
              "NVIDIA's management library is missing (", dlerror(), ")"));
        }
        static Library library;
        const std::pair<void**, const char*> functions[] = {
            {reinterpret_cast<void**>(&library.init), "nvmlInit_v2"},
            {reinterpret_cast<void**>(&library.error_string),
             "nvmlErrorString"},
            {reinterpret_cast<void**>(&library.handle_by_uuid),
             "nvmlDeviceGetHandleByUUID"},
            {reinterpret_cast<void**>(&library.clock_info),
             "nvmlDeviceGetClockInfo"},
            {reinterpret_cast<void**>(&library.max_clock_info),
             "nvmlDeviceGetMaxClockInfo"},
            {reinterpret_cast<void**>(&library.temperature),
             "nvmlDeviceGetTemperature"},
            // Its name before driver 535, which later ones keep.
            {reinterpret_cast<void**>(&library.throttle_reasons),
             "nvmlDeviceGetCurrentClocksThrottleReasons"},
            {reinterpret_cast<void**>(&library.ecc_mode),
             "nvmlDeviceGetEccMode"},
            {reinterpret_cast<void**>(&library.driver_version),
             "nvmlSystemGetDriverVersion"},
            {reinterpret_cast<void**>(&library.minor_number),
             "nvmlDeviceGetMinorNumber"},
            {reinterpret_cast<void**>(&library.compute_processes),
             "nvmlDeviceGetComputeRunningProcesses_v3"},
        };
        for (const auto& [place, name] : functions) {
          *place = dlsym(handle, name);
          if (*place != nullptr) continue;
          return absl::FailedPreconditionError(
              absl::StrCat("NVIDIA's management library has no function ", name,
                           "; install a driver for CUDA 12.8 or later"));
        }
        if (const Result result = library.init(); result != kSuccess) {
          return absl::FailedPreconditionError(
              absl::StrCat("NVIDIA's management library does not start: ",
                           library.error_string(result)));
        }
        return &library;
      }());
  return *loaded;
}

absl::StatusOr<std::unique_ptr<Nvml>> Nvml::Open(const std::string& uuid) {
  ASSAY_ASSIGN_OR_RETURN(const Library* library, Load());
  void* device = nullptr;
  const Result result = library->handle_by_uuid(uuid.c_str(), &device);
  if (result != kSuccess) {
    return absl::NotFoundError(
        absl::StrCat("NVIDIA's management library does not know GPU \"", uuid,
                     "\": ", library->error_string(result)));
  }
  return std::unique_ptr<Nvml>(new Nvml(*library, device));
}

int Nvml::max_sm_clock_mhz() const {
  unsigned mhz = 0;
  const bool told =
      library_.max_clock_info(device_, kSmClock, &mhz) == kSuccess;
  return told ? static_cast<int>(mhz) : 0;
}

int Nvml::max_memory_clock_mhz() const {
  unsigned mhz = 0;
  const bool told =
      library_.max_clock_info(device_, kMemoryClock, &mhz) == kSuccess;
  return told ? static_cast<int>(mhz) : 0;
}

std::optional<bool> Nvml::ecc_enabled() const {
  unsigned current = 0;
  unsigned pending = 0;
  if (library_.ecc_mode(device_, &current, &pending) != kSuccess) {
    return std::nullopt;
  }
  return current != 0;
}

std::string Nvml::driver_version() const {
  std::array<char, 96> version = {};
  library_.driver_version(version.data(), version.size());
  return version.data();
}

std::optional<int> Nvml::minor_number() const {
  unsigned minor = 0;
  if (library_.minor_number(device_, &minor) != kSuccess) return std::nullopt;
  return static_cast<int>(minor);
}

v1::DeviceState Nvml::ReadState() const {
  v1::DeviceState state;
  unsigned value = 0;
  if (library_.clock_info(device_, kSmClock, &value) == kSuccess) {
    state.set_min_sm_clock_mhz(static_cast<int>(value));
    state.set_max_sm_clock_mhz(static_cast<int>(value));
  }
  if (library_.clock_info(device_, kMemoryClock, &value) == kSuccess) {
    state.set_memory_clock_mhz(static_cast<int>(value));
  }
  if (library_.temperature(device_, kGpuTemperature, &value) == kSuccess) {
    state.set_max_temperature_c(static_cast<int>(value));
  }
  uint64_t reasons = 0;
  if (library_.throttle_reasons(device_, &reasons) == kSuccess) {
    for (std::string& word : ThrottleWords(reasons)) {
      state.add_throttle_reasons(std::move(word));
    }
  }
  return state;
}

absl::StatusOr<std::vector<int>> Nvml::ComputeProcesses() const {
  std::vector<ProcessInfo> infos(64);
  while (true) {
    auto count = static_cast<unsigned>(infos.size());
    const Result result =
        library_.compute_processes(device_, &count, infos.data());
    if (result == kInsufficientSize) {
      infos.resize(std::max<size_t>(count, infos.size()) * 2);
      continue;
    }
    if (result == kNotSupported || result == kNoPermission) {
      return std::vector<int>();
    }
    if (result != kSuccess) {
      return absl::UnavailableError(absl::StrCat(
          "listing the processes on the GPU: ", library_.error_string(result)));
    }
    infos.resize(count);
    break;
  }
  std::vector<int> pids;
  pids.reserve(infos.size());
  for (const ProcessInfo& info : infos) {
    pids.push_back(static_cast<int>(info.pid));
  }
  return pids;
}

std::vector<std::string> ThrottleWords(uint64_t reasons) {
  std::set<std::string> words;
  for (const auto& [bit, word] : kReasons) {
    if ((reasons & bit) != 0) words.emplace(word);
  }
  return {words.begin(), words.end()};
}

}  // namespace assay
