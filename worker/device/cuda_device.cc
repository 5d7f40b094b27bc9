#include "worker/device/cuda_device.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/status_macros.h"
#include "kernels/measure/cuda_checksum.h"
#include "kernels/measure/cuda_compare.h"
#include "kernels/measure/cuda_generate.h"
#include "kernels/measure/cuda_poison.h"
#include "kernels/measure/cuda_softmax.h"
#include "kernels/measure/cuda_vary.h"
#include "kernels/measure/element_type.h"
#include "kernels/measure/generate.h"
#include "worker/build/cuda_architecture.h"
#include "worker/cuda/device_memory.h"
#include "worker/cuda/device_pointer.h"
#include "worker/cuda/runtime_status.h"
#include "worker/device/cuda_watch.h"
#include "worker/device/element_type.h"
#include "worker/device/gpu_occupants.h"

namespace assay {
namespace {

// Nothing that is queued here takes a second. A process that was killed with a
// kernel running may keep the GPU for a while.
constexpr absl::Duration kFinishTimeout = absl::Seconds(60);
constexpr int64_t kSmallestFlush = int64_t{32} << 20;
// More than any batch of calls needs.
constexpr size_t kScratchBytes = size_t{64} << 20;

class CudaArena final : public Arena {
 public:
  explicit CudaArena(DeviceMemory memory) : memory_(std::move(memory)) {}

  int64_t size_bytes() const override { return memory_.size_bytes(); }
  absl::StatusOr<UniqueFd> Share() const override { return memory_.Share(); }
  CUdeviceptr address() const { return memory_.address(); }

 private:
  const DeviceMemory memory_;
};

void* AddressOf(const Region& region) {
  const auto* arena = static_cast<const CudaArena*>(region.arena);
  return ToPointer(arena->address() + static_cast<CUdeviceptr>(region.offset));
}

size_t CountOf(const Region& region, measure::ElementType type) {
  return static_cast<size_t>(region.bytes) / measure::ElementBytes(type);
}

// Copies what `host` holds to newly taken scratch memory.
template <typename T>
absl::StatusOr<const T*> ToDevice(const std::vector<T>& host,
                                  CudaScratch& scratch, cudaStream_t stream) {
  T* device = scratch.Take<T>(host.size());
  ASSAY_RETURN_IF_ERROR(RuntimeStatus(
      cudaMemcpyAsync(device, host.data(), host.size() * sizeof(T),
                      cudaMemcpyHostToDevice, stream),
      "copying arguments to the GPU"));
  return device;
}

template <typename T>
absl::Status ToHost(const T* device, std::vector<T>& host,
                    cudaStream_t stream) {
  return RuntimeStatus(
      cudaMemcpyAsync(host.data(), device, host.size() * sizeof(T),
                      cudaMemcpyDeviceToHost, stream),
      "copying results from the GPU");
}

// The tasks of regions that hold anything, and the size of the largest.
struct PatternTasks {
  std::vector<measure::PatternTask> tasks;
  uint64_t max_bytes = 0;
};

PatternTasks TasksOf(const std::vector<PatternRegion>& regions) {
  PatternTasks result;
  for (const auto& [region, number] : regions) {
    if (region.bytes == 0) continue;
    const auto bytes = static_cast<uint64_t>(region.bytes);
    result.tasks.push_back({AddressOf(region), bytes, number});
    result.max_bytes = std::max(result.max_bytes, bytes);
  }
  return result;
}

std::string Version(int packed) {
  return absl::StrCat(packed / 1000, ".", packed % 1000 / 10);
}

}  // namespace

absl::StatusOr<std::unique_ptr<CudaDevice>> CudaDevice::Create(
    const CudaDeviceOptions& options) {
  std::unique_ptr<CudaDevice> device(new CudaDevice(options));
  ASSAY_RETURN_IF_ERROR(device->Open());
  ASSAY_RETURN_IF_ERROR(device->Describe());
  ASSAY_RETURN_IF_ERROR(device->Probe());
  ASSAY_RETURN_IF_ERROR(device->MeasureMemory());
  return device;
}

CudaDevice::~CudaDevice() {
  if (context_ == nullptr || !context_->MakeCurrent().ok()) return;
  scratch_.Release();
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

absl::Status CudaDevice::Open() {
  ASSAY_ASSIGN_OR_RETURN(context_, CudaContext::Open(options_.ordinal));
  // The runtime counts as the driver does, and takes up the same context.
  ASSAY_RETURN_IF_ERROR(
      RuntimeStatus(cudaSetDevice(options_.ordinal), "opening the GPU"));
  ASSAY_RETURN_IF_ERROR(
      RuntimeStatus(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
                    "creating a stream"));
  is_broken_ = false;
  // Now, and not when a solution may have taken all there is.
  return scratch_.Reserve(kScratchBytes);
}

absl::Status CudaDevice::Describe() {
  const CudaDriver& cuda = context_->driver();
  absl::StatusOr<std::unique_ptr<Nvml>> nvml = Nvml::Open(context_->uuid());
  if (nvml.ok()) {
    nvml_ = *std::move(nvml);
  } else {
    LogWarning("clocks and other users of the GPU are not watched",
               {{"reason", std::string(nvml.status().message())}});
  }
  description_.set_kind("cuda");
  char name[256] = {};
  ASSAY_RETURN_IF_ERROR(cuda.Check(
      cuda.cuDeviceGetName(name, sizeof(name) - 1, context_->device()),
      "reading the GPU's name"));
  description_.set_model(absl::StrReplaceAll(name, {{" ", "_"}}));
  description_.set_uuid(context_->uuid());
  description_.set_architecture(
      NativeCudaArchitecture(
          context_->Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
          context_->Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR))
          .SmName());
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  ASSAY_RETURN_IF_ERROR(cuda.Check(cuda.cuMemGetInfo(&free_bytes, &total_bytes),
                                   "asking for free memory"));
  description_.set_memory_bytes(options_.memory_bytes > 0
                                    ? options_.memory_bytes
                                    : static_cast<int64_t>(free_bytes / 4 * 3));
  description_.set_timer(options_.cupti_path.empty() ? v1::CUDA_EVENTS
                                                     : v1::CUPTI);
  v1::Gpu& gpu = *description_.mutable_gpu();
  gpu.set_total_memory_bytes(static_cast<int64_t>(total_bytes));
  const int l2_bytes = context_->Attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  gpu.set_l2_cache_bytes(l2_bytes);
  flush_bytes_ = std::max(int64_t{l2_bytes} * 2, kSmallestFlush);
  gpu.set_multiprocessors(
      context_->Attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  auto& libs = *description_.mutable_libs();
  libs.insert(options_.libs.begin(), options_.libs.end());
  int driver_version = 0;
  cuda.cuDriverGetVersion(&driver_version);
  libs["cuda_driver"] = Version(driver_version);
  if (nvml_ != nullptr) {
    libs["nvidia_driver"] = nvml_->driver_version();
    gpu.set_max_sm_clock_mhz(nvml_->max_sm_clock_mhz());
    gpu.set_max_memory_clock_mhz(nvml_->max_memory_clock_mhz());
    const std::optional<bool> ecc = nvml_->ecc_enabled();
    if (ecc.has_value()) gpu.set_ecc_enabled(*ecc);
  }
  for (const auto language : options_.languages) {
    description_.add_languages(language);
  }
  for (const auto binding : options_.bindings) {
    description_.add_bindings(binding);
  }
  return absl::OkStatus();
}

absl::Status CudaDevice::MeasureMemory() {
  // More than L2 holds, and so long that launching does not count.
  constexpr size_t kBytes = size_t{256} << 20;
  constexpr int kTries = 5;
  // L2 and other memory on the chip, against a copy that also reads.
  constexpr double kCacheFactor = 8;
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Arena> from,
                         Allocate(kBytes, ArenaAccess::kRead));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Arena> to,
                         Allocate(kBytes, ArenaAccess::kRead));
  absl::Duration best = absl::InfiniteDuration();
  for (int i = 0; i < kTries; ++i) {
    const absl::Duration begin = Clock::Real().Monotonic();
    ASSAY_RETURN_IF_ERROR(Copy({from.get(), 0, kBytes}, {to.get(), 0, kBytes}));
    best = std::min(best, Clock::Real().Monotonic() - begin);
  }
  memory_speed_.copy = kBytes / std::max(absl::ToDoubleSeconds(best), 1e-9);
  memory_speed_.ceiling = memory_speed_.copy * kCacheFactor;
  return absl::OkStatus();
}

std::optional<worker::SetUp> CudaDevice::runner_set_up() const {
  worker::SetUp set_up;
  set_up.set_cuda_uuid(description_.uuid());
  set_up.set_cupti_path(options_.cupti_path);
  return set_up;
}

absl::StatusOr<std::unique_ptr<Arena>> CudaDevice::Allocate(
    int64_t bytes, ArenaAccess access) {
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_ASSIGN_OR_RETURN(DeviceMemory memory,
                         DeviceMemory::Create(*context_, bytes));
  // What somebody else had there before is nobody's business.
  ASSAY_RETURN_IF_ERROR(
      RuntimeStatus(cudaMemsetAsync(ToPointer(memory.address()), 0,
                                    static_cast<size_t>(bytes), stream_),
                    "clearing memory"));
  ASSAY_RETURN_IF_ERROR(Finish("clearing memory"));
  return std::make_unique<CudaArena>(std::move(memory));
}

absl::Status CudaDevice::Upload(const Region& region, absl::string_view data) {
  if (static_cast<int64_t>(data.size()) != region.bytes) {
    return absl::InternalError(absl::StrCat(
        "uploading ", data.size(), " bytes to a region of ", region.bytes));
  }
  if (data.empty()) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_RETURN_IF_ERROR(
      RuntimeStatus(cudaMemcpyAsync(AddressOf(region), data.data(), data.size(),
                                    cudaMemcpyHostToDevice, stream_),
                    "uploading a tensor"));
  return Finish("uploading a tensor");
}

absl::StatusOr<std::string> CudaDevice::Download(const Region& region) {
  std::string data(static_cast<size_t>(region.bytes), '\0');
  if (data.empty()) return data;
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_RETURN_IF_ERROR(
      RuntimeStatus(cudaMemcpyAsync(&data[0], AddressOf(region), data.size(),
                                    cudaMemcpyDeviceToHost, stream_),
                    "downloading a tensor"));
  ASSAY_RETURN_IF_ERROR(Finish("downloading a tensor"));
  return data;
}

absl::Status CudaDevice::Copy(const Region& from, const Region& to) {
  if (from.bytes != to.bytes) {
    return absl::InternalError(absl::StrCat(
        "copying ", from.bytes, " bytes to a region of ", to.bytes));
  }
  if (to.bytes == 0) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_RETURN_IF_ERROR(
      RuntimeStatus(cudaMemcpyAsync(AddressOf(to), AddressOf(from),
                                    static_cast<size_t>(to.bytes),
                                    cudaMemcpyDeviceToDevice, stream_),
                    "copying a tensor"));
  return Finish("copying a tensor");
}

absl::Status CudaDevice::Generate(const Region& region, v1::DType dtype,
                                  const measure::Key& key, uint32_t stream) {
  ASSAY_ASSIGN_OR_RETURN(const measure::ElementType type, ToElementType(dtype));
  if (region.bytes == 0) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_RETURN_IF_ERROR(RuntimeStatus(
      measure::GenerateOnDevice(type, AddressOf(region), CountOf(region, type),
                                key, stream, stream_),
      "generating a tensor"));
  return Finish("generating a tensor");
}

absl::Status CudaDevice::Vary(const Region& stored, const Region& varied,
                              v1::DType dtype, const measure::Key& key,
                              uint32_t stream) {
  ASSAY_ASSIGN_OR_RETURN(const measure::ElementType type, ToElementType(dtype));
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  const cudaError_t queued =
      measure::VaryOnDevice(type, AddressOf(stored), AddressOf(varied),
                            CountOf(varied, type), key, stream, stream_);
  if (queued == cudaErrorInvalidValue) {
    return absl::InvalidArgumentError(
        absl::StrCat("values of dtype ", measure::ElementTypeName(type),
                     " cannot be varied"));
  }
  ASSAY_RETURN_IF_ERROR(RuntimeStatus(queued, "varying a tensor"));
  return Finish("varying a tensor");
}

absl::Status CudaDevice::SoftmaxRows(const Region& region, v1::DType dtype,
                                     int64_t columns) {
  ASSAY_ASSIGN_OR_RETURN(const measure::ElementType type, ToElementType(dtype));
  if (region.bytes == 0 || columns == 0) return absl::OkStatus();
  const auto row = static_cast<size_t>(columns);
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  const cudaError_t queued = measure::SoftmaxRowsOnDevice(
      type, AddressOf(region), CountOf(region, type) / row, row, stream_);
  if (queued == cudaErrorInvalidValue) {
    return absl::InvalidArgumentError(absl::StrCat(
        "probabilities cannot be of dtype ", measure::ElementTypeName(type)));
  }
  ASSAY_RETURN_IF_ERROR(RuntimeStatus(queued, "making probabilities"));
  return Finish("making probabilities");
}

absl::Status CudaDevice::Poison(const std::vector<PatternRegion>& regions,
                                const measure::Key& key) {
  const PatternTasks work = TasksOf(regions);
  if (work.tasks.empty()) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_RETURN_IF_ERROR(scratch_.Reserve(
      CudaScratch::Rounded(work.tasks.size() * sizeof(measure::PatternTask))));
  ASSAY_ASSIGN_OR_RETURN(const measure::PatternTask* tasks,
                         ToDevice(work.tasks, scratch_, stream_));
  ASSAY_RETURN_IF_ERROR(RuntimeStatus(
      measure::FillPatternsOnDevice(tasks, static_cast<int>(work.tasks.size()),
                                    work.max_bytes, key, stream_),
      "writing patterns"));
  return Finish("writing patterns");
}

absl::StatusOr<bool> CudaDevice::ArePoisoned(
    const std::vector<PatternRegion>& regions, const measure::Key& key) {
  const PatternTasks work = TasksOf(regions);
  if (work.tasks.empty()) return true;
  const size_t count = work.tasks.size();
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_RETURN_IF_ERROR(scratch_.Reserve(
      CudaScratch::Rounded(count * sizeof(measure::PatternTask)) +
      CudaScratch::Rounded(count * sizeof(uint64_t))));
  ASSAY_ASSIGN_OR_RETURN(const measure::PatternTask* tasks,
                         ToDevice(work.tasks, scratch_, stream_));
  auto* first_damage = scratch_.Take<uint64_t>(count);
  ASSAY_RETURN_IF_ERROR(RuntimeStatus(
      measure::FindDamageOnDevice(tasks, static_cast<int>(count),
                                  work.max_bytes, key, first_damage, stream_),
      "looking for damage"));
  std::vector<uint64_t> found(count);
  ASSAY_RETURN_IF_ERROR(ToHost(first_damage, found, stream_));
  ASSAY_RETURN_IF_ERROR(Finish("looking for damage"));
  return std::all_of(found.begin(), found.end(),
                     [](uint64_t place) { return place == UINT64_MAX; });
}

absl::StatusOr<uint64_t> CudaDevice::Checksum(const Region& region,
                                              const measure::Key& key) {
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_RETURN_IF_ERROR(scratch_.Reserve(sizeof(uint64_t)));
  auto* result = scratch_.Take<uint64_t>(1);
  ASSAY_RETURN_IF_ERROR(
      RuntimeStatus(measure::ChecksumOnDevice(AddressOf(region),
                                              static_cast<size_t>(region.bytes),
                                              key, result, stream_),
                    "computing a checksum"));
  std::vector<uint64_t> checksum(1);
  ASSAY_RETURN_IF_ERROR(ToHost(result, checksum, stream_));
  ASSAY_RETURN_IF_ERROR(Finish("computing a checksum"));
  return checksum[0];
}

absl::StatusOr<std::vector<measure::CompareResult>> CudaDevice::Compare(
    v1::DType dtype, const std::vector<ComparePair>& pairs,
    const measure::Tolerance& tolerance) {
  ASSAY_ASSIGN_OR_RETURN(const measure::ElementType type, ToElementType(dtype));
  const size_t count = pairs.size();
  std::vector<measure::CompareResult> results(count);
  if (count == 0) return results;
  std::vector<measure::CompareTask> work;
  uint64_t max_elements = 0;
  for (const auto& [got, want] : pairs) {
    work.push_back({AddressOf(got), AddressOf(want), CountOf(want, type)});
    max_elements = std::max(max_elements, work.back().elements);
  }
  const size_t scratch_bytes =
      measure::CompareScratchBytes(static_cast<int>(count));
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_RETURN_IF_ERROR(scratch_.Reserve(
      CudaScratch::Rounded(count * sizeof(measure::CompareTask)) +
      CudaScratch::Rounded(count * sizeof(measure::CompareResult)) +
      CudaScratch::Rounded(scratch_bytes)));
  ASSAY_ASSIGN_OR_RETURN(const measure::CompareTask* tasks,
                         ToDevice(work, scratch_, stream_));
  auto* found = scratch_.Take<measure::CompareResult>(count);
  ASSAY_RETURN_IF_ERROR(RuntimeStatus(
      measure::CompareOnDevice(type, tasks, static_cast<int>(count),
                               max_elements, tolerance, found,
                               scratch_.Take<char>(scratch_bytes), stream_),
      "comparing tensors"));
  ASSAY_RETURN_IF_ERROR(ToHost(found, results, stream_));
  ASSAY_RETURN_IF_ERROR(Finish("comparing tensors"));
  return results;
}

absl::StatusOr<absl::Duration> CudaDevice::TimeToIdle() {
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_RETURN_IF_ERROR(scratch_.Reserve(sizeof(uint32_t)));
  auto* word = scratch_.Take<uint32_t>(1);
  // Contexts take turns on a GPU: this one gets its turn when the other has
  // nothing left to do, or a time slice later.
  const absl::Duration begin = Clock::Real().Monotonic();
  ASSAY_RETURN_IF_ERROR(
      RuntimeStatus(cudaMemsetAsync(word, 0, sizeof(uint32_t), stream_),
                    "asking for a turn on the GPU"));
  ASSAY_RETURN_IF_ERROR(Finish("asking for a turn on the GPU"));
  return Clock::Real().Monotonic() - begin;
}

absl::StatusOr<std::unique_ptr<DeviceWatch>> CudaDevice::Watch() {
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_RETURN_IF_ERROR(scratch_.Reserve(sizeof(uint32_t)));
  return CudaWatch::Start(*context_, stream_, scratch_.Take<uint32_t>(1));
}

std::optional<v1::DeviceState> CudaDevice::ReadState() {
  if (nvml_ == nullptr) return std::nullopt;
  return nvml_->ReadState();
}

absl::Status CudaDevice::Finish(absl::string_view what) {
  const absl::Time begin = absl::Now();
  // What is queued mostly ends at once: at first without sleeping.
  constexpr absl::Duration kPatience = absl::Milliseconds(2);
  while (true) {
    const cudaError_t state = cudaStreamQuery(stream_);
    if (state == cudaSuccess) return absl::OkStatus();
    if (state != cudaErrorNotReady) {
      is_broken_ = true;
      return RuntimeStatus(state, what);
    }
    const absl::Duration waited = absl::Now() - begin;
    if (waited > kFinishTimeout) {
      is_broken_ = true;
      return absl::InternalError(
          absl::StrCat(what, ": the GPU did not answer within ",
                       absl::FormatDuration(kFinishTimeout)));
    }
    if (waited > kPatience) absl::SleepFor(absl::Microseconds(100));
  }
}

absl::Status CudaDevice::Probe() {
  const absl::Status status = CheckAnswer();
  if (!status.ok()) is_broken_ = true;
  return Annotate(status, "the GPU does not work as it should");
}

absl::Status CudaDevice::CheckAnswer() {
  constexpr size_t kCount = 1 << 14;
  constexpr measure::ElementType kType = measure::ElementType::kFloat32;
  const measure::Key key = {{1, 2, 3, static_cast<uint32_t>(getpid())}};
  ASSAY_RETURN_IF_ERROR(context_->MakeCurrent());
  ASSAY_RETURN_IF_ERROR(scratch_.Reserve(kCount * sizeof(float)));
  auto* data = scratch_.Take<float>(kCount);
  ASSAY_RETURN_IF_ERROR(RuntimeStatus(
      measure::GenerateOnDevice(kType, data, kCount, key, 0, stream_),
      "computing"));
  std::vector<float> got(kCount);
  ASSAY_RETURN_IF_ERROR(ToHost(data, got, stream_));
  ASSAY_RETURN_IF_ERROR(Finish("computing"));
  std::vector<float> want(kCount);
  measure::Generate(kType, want.data(), kCount, key, 0);
  if (got == want) return absl::OkStatus();
  return absl::InternalError("it computes other values than the host");
}

absl::Status CudaDevice::CheckReady() {
  if (is_broken_) ASSAY_RETURN_IF_ERROR(Reopen());
  ASSAY_RETURN_IF_ERROR(Probe());
  ASSAY_RETURN_IF_ERROR(CheckStrangers());
  return CheckMemory();
}

absl::Status CudaDevice::Reopen() {
  scratch_.Forget();
  stream_ = nullptr;
  context_.reset();
  // Also forgets the error that the runtime remembers.
  if (cudaSetDevice(options_.ordinal) == cudaSuccess) cudaDeviceReset();
  cudaGetLastError();
  return Annotate(Open(), "the GPU cannot be opened again");
}

absl::Status CudaDevice::CheckStrangers() const {
  if (nvml_ == nullptr) return absl::OkStatus();
  const absl::StatusOr<std::vector<int>> pids = nvml_->ComputeProcesses();
  if (!pids.ok()) return pids.status();
  const std::vector<std::string> strangers =
      Strangers(*pids, getpid(), "/proc");
  if (strangers.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("other processes use the GPU, which makes times worthless: ",
                   absl::StrJoin(strangers, ", "),
                   "; end them, or give this worker a GPU "
                   "of its own"));
}

absl::Status CudaDevice::CheckMemory() const {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  ASSAY_RETURN_IF_ERROR(context_->driver().Check(
      context_->driver().cuMemGetInfo(&free_bytes, &total_bytes),
      "asking for free memory"));
  if (static_cast<int64_t>(free_bytes) >= description_.memory_bytes()) {
    return absl::OkStatus();
  }
  return absl::ResourceExhaustedError(
      absl::StrCat("only ", free_bytes >> 20,
                   " MiB of the GPU's memory are free, and "
                   "evaluations were promised ",
                   description_.memory_bytes() >> 20, " MiB"));
}

}  // namespace assay
