// NVIDIA's management library, found when the program runs: what the driver
// knows about a GPU that CUDA does not tell.

#ifndef ASSAY_WORKER_CUDA_NVML_H_
#define ASSAY_WORKER_CUDA_NVML_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/evaluation.pb.h"

namespace assay {

// One GPU. Thread-safe.
class Nvml {
 public:
  // The GPU with this id, in the form "GPU-5a3f…". FAILED_PRECONDITION where
  // the library is missing, NOT_FOUND for an id that it does not know.
  static absl::StatusOr<std::unique_ptr<Nvml>> Open(const std::string& uuid);

  // Highest clocks in MHz; 0 when not told.
  int max_sm_clock_mhz() const;
  int max_memory_clock_mhz() const;
  std::optional<bool> ecc_enabled() const;
  // E.g. "580.159.04"; empty when not told.
  std::string driver_version() const;
  // N of /dev/nvidiaN.
  std::optional<int> minor_number() const;

  // A reading: lowest and highest clock are the same.
  v1::DeviceState ReadState() const;

  // Processes that have a context on the GPU, by their ids in this process's
  // namespace. None where the driver does not tell, as for a part of a GPU.
  absl::StatusOr<std::vector<int>> ComputeProcesses() const;

 private:
  struct Library;

  Nvml(const Library& library, void* device)
      : library_(library), device_(device) {}

  static absl::StatusOr<const Library*> Load();

  const Library& library_;
  void* const device_;
};

// Words of v1::DeviceState::throttle_reasons for the library's bits, in
// alphabetical order. Bits that say nothing bad, such as idle, have none.
std::vector<std::string> ThrottleWords(uint64_t reasons);

}  // namespace assay

#endif  // ASSAY_WORKER_CUDA_NVML_H_
