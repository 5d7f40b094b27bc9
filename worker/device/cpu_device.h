// The host's processor as a device: tensors are shared memory (memfd), times
// are the host clock's.

#ifndef ASSAY_WORKER_DEVICE_CPU_DEVICE_H_
#define ASSAY_WORKER_DEVICE_CPU_DEVICE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "worker/device/device.h"

namespace assay {

struct CpuDeviceOptions {
  // Memory that evaluations may use; 0: three quarters of what is free.
  int64_t memory_bytes = 0;
  // Library or tool to version, reported as given.
  std::map<std::string, std::string> libs;
  std::vector<v1::BuildSpec::Language> languages;
  std::vector<v1::BuildSpec::Binding> bindings;
};

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(const CpuDeviceOptions& options);

  const v1::Device& description() const override { return description_; }
  std::optional<worker::SetUp> runner_set_up() const override {
    return std::nullopt;
  }
  int64_t flush_bytes() const override { return 0; }
  MemorySpeed memory_speed() const override { return memory_speed_; }
  absl::StatusOr<std::unique_ptr<Arena>> Allocate(int64_t bytes,
                                                  ArenaAccess access) override;
  absl::Status Upload(const Region& region, absl::string_view data) override;
  absl::StatusOr<std::string> Download(const Region& region) override;
  absl::Status Copy(const Region& from, const Region& to) override;
  absl::Status EvictFromCaches(const Region& region) override;
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
  absl::StatusOr<absl::Duration> TimeToIdle() override {
    return absl::ZeroDuration();
  }
  absl::StatusOr<std::unique_ptr<DeviceWatch>> Watch() override {
    return nullptr;
  }
  std::optional<v1::DeviceState> ReadState() override { return std::nullopt; }
  absl::Status Probe() override { return absl::OkStatus(); }
  absl::Status CheckReady() override { return absl::OkStatus(); }

 private:
  // Makes do where the processor cannot be told to evict.
  void PushOutCaches();

  v1::Device description_;
  MemorySpeed memory_speed_;
  // What PushOutCaches writes; empty where there is no need.
  std::vector<char> pushing_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_DEVICE_CPU_DEVICE_H_
