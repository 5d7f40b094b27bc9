#include "worker/device/cpu_device.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/status_macros.h"
#include "kernels/measure/cache_control.h"
#include "kernels/measure/checksum.h"
#include "kernels/measure/element_type.h"
#include "kernels/measure/generate.h"
#include "kernels/measure/poison.h"
#include "kernels/measure/softmax.h"
#include "kernels/measure/vary.h"
#include "worker/device/cpu_facts.h"
#include "worker/device/element_type.h"

namespace assay {
namespace {

class CpuArena final : public Arena {
 public:
  CpuArena(UniqueFd fd, Mapping mapping, ArenaAccess access)
      : fd_(std::move(fd)), mapping_(std::move(mapping)), access_(access) {}

  int64_t size_bytes() const override {
    return static_cast<int64_t>(mapping_.size());
  }
  absl::StatusOr<UniqueFd> Share() const override {
    return access_ == ArenaAccess::kRead ? ReopenReadOnly(fd_.get())
                                         : Duplicate(fd_.get());
  }
  char* data() const { return mapping_.data(); }

 private:
  const UniqueFd fd_;
  const Mapping mapping_;
  const ArenaAccess access_;
};

// The region's memory. Every arena that reaches this device is its own.
char* DataOf(const Region& region) {
  return static_cast<const CpuArena*>(region.arena)->data() + region.offset;
}

size_t CountOf(const Region& region, measure::ElementType type) {
  return static_cast<size_t>(region.bytes) / measure::ElementBytes(type);
}

// What one thread copies in a second, past the caches.
double MeasureCopySpeed() {
  // Enough for a time that a clock can tell, and little enough for start-up.
  constexpr size_t kBytes = size_t{8} << 20;
  constexpr int kTries = 5;
  const std::vector<char> from(kBytes, 1);
  std::vector<char> to(kBytes);
  absl::Duration best = absl::InfiniteDuration();
  for (int i = 0; i < kTries; ++i) {
    const absl::Duration begin = Clock::Real().Monotonic();
    measure::StreamCopy(to.data(), from.data(), kBytes);
    best = std::min(best, Clock::Real().Monotonic() - begin);
  }
  return kBytes / std::max(absl::ToDoubleSeconds(best), 1e-9);
}

// How much faster than such a copy one processor writes to its own caches.
constexpr double kCacheFactor = 16;

}  // namespace

CpuDevice::CpuDevice(const CpuDeviceOptions& options) {
  const CpuFacts facts = ReadCpuFacts();
  if (!measure::CanControlCaches()) pushing_.resize(2 * facts.l2_bytes);
  memory_speed_.copy = MeasureCopySpeed();
  memory_speed_.ceiling = memory_speed_.copy * kCacheFactor *
                          std::max(std::thread::hardware_concurrency(), 1U);
  description_.set_kind("cpu");
  description_.set_model(facts.model);
  description_.set_uuid(facts.machine_id);
  description_.set_architecture(facts.architecture);
  description_.set_memory_bytes(options.memory_bytes > 0
                                    ? options.memory_bytes
                                    : facts.available_bytes / 4 * 3);
  description_.mutable_libs()->insert(options.libs.begin(), options.libs.end());
  description_.set_timer(v1::HOST_CLOCK);
  for (const auto language : options.languages) {
    description_.add_languages(language);
  }
  for (const auto binding : options.bindings) {
    description_.add_bindings(binding);
  }
}

absl::StatusOr<std::unique_ptr<Arena>> CpuDevice::Allocate(int64_t bytes,
                                                           ArenaAccess access) {
  const size_t size = static_cast<size_t>(bytes);
  ASSAY_ASSIGN_OR_RETURN(UniqueFd fd, CreateMemFd("assay-tensors", size));
  ASSAY_ASSIGN_OR_RETURN(Mapping mapping,
                         Mapping::Map(fd.get(), size, /*writable=*/true));
  if (access == ArenaAccess::kRead) {
    ASSAY_RETURN_IF_ERROR(SealAgainstNewWriters(fd.get()));
  }
  return std::make_unique<CpuArena>(std::move(fd), std::move(mapping), access);
}

absl::Status CpuDevice::Upload(const Region& region, absl::string_view data) {
  if (static_cast<int64_t>(data.size()) != region.bytes) {
    return absl::InternalError(absl::StrCat(
        "uploading ", data.size(), " bytes to a region of ", region.bytes));
  }
  if (!data.empty()) std::memcpy(DataOf(region), data.data(), data.size());
  return absl::OkStatus();
}

absl::StatusOr<std::string> CpuDevice::Download(const Region& region) {
  return std::string(DataOf(region), static_cast<size_t>(region.bytes));
}

absl::Status CpuDevice::Copy(const Region& from, const Region& to) {
  if (from.bytes != to.bytes) {
    return absl::InternalError(absl::StrCat(
        "copying ", from.bytes, " bytes to a region of ", to.bytes));
  }
  if (to.bytes == 0) return absl::OkStatus();
  measure::StreamCopy(DataOf(to), DataOf(from), static_cast<size_t>(to.bytes));
  PushOutCaches();
  return absl::OkStatus();
}

absl::Status CpuDevice::EvictFromCaches(const Region& region) {
  measure::EvictFromCaches(DataOf(region), static_cast<size_t>(region.bytes));
  PushOutCaches();
  return absl::OkStatus();
}

void CpuDevice::PushOutCaches() {
  if (pushing_.empty()) return;
  // Another value each time, so that no write is of what is there already.
  std::fill(pushing_.begin(), pushing_.end(), pushing_.front() + 1);
}

absl::Status CpuDevice::Generate(const Region& region, v1::DType dtype,
                                 const measure::Key& key, uint32_t stream) {
  ASSAY_ASSIGN_OR_RETURN(const measure::ElementType type, ToElementType(dtype));
  measure::Generate(type, DataOf(region), CountOf(region, type), key, stream);
  return absl::OkStatus();
}

absl::Status CpuDevice::Vary(const Region& stored, const Region& varied,
                             v1::DType dtype, const measure::Key& key,
                             uint32_t stream) {
  ASSAY_ASSIGN_OR_RETURN(const measure::ElementType type, ToElementType(dtype));
  if (!measure::Vary(type, DataOf(stored), DataOf(varied),
                     CountOf(varied, type), key, stream)) {
    return absl::InvalidArgumentError(
        absl::StrCat("values of dtype ", measure::ElementTypeName(type),
                     " cannot be varied"));
  }
  return absl::OkStatus();
}

absl::Status CpuDevice::SoftmaxRows(const Region& region, v1::DType dtype,
                                    int64_t columns) {
  ASSAY_ASSIGN_OR_RETURN(const measure::ElementType type, ToElementType(dtype));
  if (columns == 0) return absl::OkStatus();
  const size_t row = static_cast<size_t>(columns);
  if (!measure::SoftmaxRows(type, DataOf(region), CountOf(region, type) / row,
                            row)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "probabilities cannot be of dtype ", measure::ElementTypeName(type)));
  }
  return absl::OkStatus();
}

absl::Status CpuDevice::Poison(const std::vector<PatternRegion>& regions,
                               const measure::Key& key) {
  for (const auto& [region, number] : regions) {
    measure::FillPattern(DataOf(region), static_cast<size_t>(region.bytes), key,
                         number);
    ASSAY_RETURN_IF_ERROR(EvictFromCaches(region));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> CpuDevice::ArePoisoned(
    const std::vector<PatternRegion>& regions, const measure::Key& key) {
  for (const auto& [region, number] : regions) {
    if (measure::FindDamage(DataOf(region), static_cast<size_t>(region.bytes),
                            key, number) != measure::kIntact) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<uint64_t> CpuDevice::Checksum(const Region& region,
                                             const measure::Key& key) {
  return measure::Checksum(DataOf(region), static_cast<size_t>(region.bytes),
                           key);
}

absl::StatusOr<std::vector<measure::CompareResult>> CpuDevice::Compare(
    v1::DType dtype, const std::vector<ComparePair>& pairs,
    const measure::Tolerance& tolerance) {
  ASSAY_ASSIGN_OR_RETURN(const measure::ElementType type, ToElementType(dtype));
  std::vector<measure::CompareResult> results;
  results.reserve(pairs.size());
  for (const auto& [got, want] : pairs) {
    results.push_back(measure::Compare(type, DataOf(got), DataOf(want),
                                       CountOf(want, type), tolerance));
  }
  return results;
}

}  // namespace assay
