// A GPU as a device: tensors are memory of the GPU that runner processes map by
// descriptor; generating, poisoning and comparing happen on the GPU.

#ifndef ASSAY_WORKER_DEVICE_CUDA_DEVICE_H_
#define ASSAY_WORKER_DEVICE_CUDA_DEVICE_H_

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "worker/cuda/context.h"
#include "worker/cuda/nvml.h"
#include "worker/device/cuda_scratch.h"
#include "worker/device/device.h"

namespace assay {

struct CudaDeviceOptions {
  // Number of the GPU as CUDA counts in this process.
  int ordinal = 0;
  // Memory that evaluations may use; 0: three quarters of what is free.
  int64_t memory_bytes = 0;
  // libcupti.so for runners to time with; empty: CUDA events.
  std::string cupti_path;
  // Library or tool to version, reported as given; the driver's is added.
  std::map<std::string, std::string> libs;
  std::vector<v1::BuildSpec::Language> languages;
  std::vector<v1::BuildSpec::Binding> bindings;
};

class CudaDevice final : public Device {
 public:
  // FAILED_PRECONDITION when CUDA is not available here, INVALID_ARGUMENT when
  // there is no such GPU.
  static absl::StatusOr<std::unique_ptr<CudaDevice>> Create(
      const CudaDeviceOptions& options);
  ~CudaDevice() override;

  const v1::Device& description() const override { return description_; }
  std::optional<worker::SetUp> runner_set_up() const override;
  int64_t flush_bytes() const override { return flush_bytes_; }
  MemorySpeed memory_speed() const override { return memory_speed_; }
  absl::StatusOr<std::unique_ptr<Arena>> Allocate(int64_t bytes,
                                                  ArenaAccess access) override;
  absl::Status Upload(const Region& region, absl::string_view data) override;
  absl::StatusOr<std::string> Download(const Region& region) override;
  absl::Status Copy(const Region& from, const Region& to) override;
  absl::Status EvictFromCaches(const Region& region) override {
    return absl::OkStatus();
  }
  absl::Status Generate(const Region& region, v1::DType dtype,
                        const measure::Key& key, uint32_t stream) override;
  absl::Status Vary(const Region& stored, const Region& varied, v1::DType dtype,
                    const measure::Key& key, uint32_t stream) override;
  absl::Status SoftmaxRows(const Region& region, v1::DType dtype,
                           int64_t columns) override;
  absl::Status Poison(const std::vector<PatternRegion>& regions,
                      const measure::Key& key) override;
  absl::StatusOr<bool> ArePoisoned(const std::vector<PatternRegion>& regions,
                                   const measure::Key& key) override;
  absl::StatusOr<uint64_t> Checksum(const Region& region,
                                    const measure::Key& key) override;
  absl::StatusOr<std::vector<measure::CompareResult>> Compare(
      v1::DType dtype, const std::vector<ComparePair>& pairs,
      const measure::Tolerance& tolerance) override;
  absl::StatusOr<absl::Duration> TimeToIdle() override;
  absl::StatusOr<std::unique_ptr<DeviceWatch>> Watch() override;
  std::optional<v1::DeviceState> ReadState() override;
  absl::Status Probe() override;
  absl::Status CheckReady() override;

 private:
  explicit CudaDevice(const CudaDeviceOptions& options) : options_(options) {}

  absl::Status Open();
  // Fills in what does not change.
  absl::Status Describe();
  absl::Status MeasureMemory();
  // Gives up the context, with whatever went wrong in it, for a new one.
  absl::Status Reopen();
  // Waits for what was queued; an error when that takes too long.
  absl::Status Finish(absl::string_view what);
  absl::Status CheckAnswer();
  absl::Status CheckStrangers() const;
  absl::Status CheckMemory() const;

  const CudaDeviceOptions options_;
  v1::Device description_;
  int64_t flush_bytes_ = 0;
  MemorySpeed memory_speed_;
  std::unique_ptr<CudaContext> context_;
  // Null where the driver's library for it is missing.
  std::unique_ptr<Nvml> nvml_;
  cudaStream_t stream_ = nullptr;
  CudaScratch scratch_;
  // Set when something failed that only a new context cures.
  bool is_broken_ = false;
};

}  // namespace assay

#endif  // ASSAY_WORKER_DEVICE_CUDA_DEVICE_H_
