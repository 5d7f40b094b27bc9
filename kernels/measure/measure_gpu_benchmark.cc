// How fast the CUDA twins are, against what the memory of the GPU can do:
//
//   measure_gpu_benchmark [BYTES_OF_A_TENSOR] > measure.json
//
// For each measurement: bytes moved, read and written, the median time of 20
// calls, and the rate as a share of the memory's peak and of a plain copy's.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "kernels/measure/cuda_checksum.h"
#include "kernels/measure/cuda_compare.h"
#include "kernels/measure/cuda_generate.h"
#include "kernels/measure/cuda_poison.h"
#include "kernels/measure/cuda_softmax.h"
#include "kernels/measure/cuda_testing.h"
#include "kernels/measure/generate.h"

namespace assay::measure {
namespace {

constexpr Key kKey = {{1, 2, 3, 4}};
constexpr int kWarmups = 3;
constexpr int kSamples = 20;
// Tensors are made of copies of a piece made by the CPU.
constexpr size_t kPieceBytes = size_t{32} << 20;

class Timer {
 public:
  Timer() {
    CheckCuda(cudaEventCreate(&start_), "cudaEventCreate");
    CheckCuda(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  ~Timer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  double MedianMs(const std::function<cudaError_t()>& call) const {
    std::vector<double> samples;
    for (int i = 0; i < kWarmups + kSamples; ++i) {
      const double ms = Once(call);
      if (i >= kWarmups) samples.push_back(ms);
    }
    std::sort(samples.begin(), samples.end());
    return (samples[kSamples / 2 - 1] + samples[kSamples / 2]) / 2;
  }

 private:
  double Once(const std::function<cudaError_t()>& call) const {
    CheckCuda(cudaEventRecord(start_), "cudaEventRecord");
    CheckCuda(call(), "a call");
    CheckCuda(cudaEventRecord(stop_), "cudaEventRecord");
    CheckCuda(cudaEventSynchronize(stop_), "running");
    float ms = 0;
    CheckCuda(cudaEventElapsedTime(&ms, start_, stop_), "cudaEventElapsedTime");
    return static_cast<double>(ms);
  }

  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

double PeakBytesPerSecond() {
  int kilohertz = 0;
  int bits = 0;
  CheckCuda(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0),
            "reading the memory clock");
  CheckCuda(cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0),
            "reading the memory width");
  // Two transfers a cycle.
  return 2.0 * kilohertz * 1e3 * bits / 8;
}

// Prints measurements as members of a JSON array.
class Report {
 public:
  explicit Report(double peak) : peak_(peak) {}

  // Rates are given as shares of this one from now on.
  void set_copy_rate(double rate) { copy_rate_ = rate; }

  double Measure(const std::string& what, const char* type, const char* content,
                 size_t bytes, const std::function<cudaError_t()>& call) {
    const double ms = timer_.MedianMs(call);
    const double rate = static_cast<double>(bytes) / (ms * 1e-3);
    std::printf(
        "%s\n  {\"what\": \"%s\", \"type\": \"%s\", \"content\": \"%s\", "
        "\"bytes\": %zu, \"median_ms\": %.5f, \"gb_per_s\": %.1f, "
        "\"share_of_peak\": %.3f, \"share_of_copy\": %.3f}",
        first_ ? "" : ",", what.c_str(), type, content, bytes, ms, rate * 1e-9,
        rate / peak_, copy_rate_ > 0 ? rate / copy_rate_ : 1.0);
    std::fflush(stdout);
    first_ = false;
    return rate;
  }

 private:
  Timer timer_;
  double peak_;
  double copy_rate_ = 0;
  bool first_ = true;
};

void Repeat(const std::vector<unsigned char>& piece, const DeviceBuffer& out) {
  for (size_t i = 0; i < out.bytes(); i += piece.size()) {
    out.Upload(piece.data(), std::min(piece.size(), out.bytes() - i), i);
  }
}

struct Content {
  const char* name;
  // One value in this many differs in its last bit; 0: none.
  size_t every;
  bool unrelated;
};

constexpr Content kContents[] = {
    {"equal", 0, false},
    {"last bit of one in 10", 10, false},
    {"last bit of all", 1, false},
    {"unrelated", 0, true},
};

// So wide that a last bit is no error.
Tolerance ToleranceFor(ElementType type) {
  if (type == ElementType::kFloat4E2M1FNx2) return {1, 1};
  if (ElementBytes(type) == 1) return {0.3, 0.3};
  return {0.01, 0.01};
}

void BenchmarkCompare(ElementType type, const DeviceBuffer& got,
                      const DeviceBuffer& want, Report* report) {
  const size_t size = ElementBytes(type);
  const uint64_t count = want.bytes() / size;
  const DeviceArray<CompareTask> task(
      std::vector<CompareTask>{{got.get(), want.get(), count}});
  const DeviceArray<CompareResult> result(1);
  const DeviceBuffer scratch(CompareScratchBytes(1));
  std::vector<unsigned char> piece(kPieceBytes);
  Generate(type, piece.data(), piece.size() / size, kKey, 0);
  Repeat(piece, want);
  for (const Content& content : kContents) {
    std::vector<unsigned char> changed = piece;
    for (size_t i = 0; content.every > 0 && i < changed.size();
         i += content.every * size) {
      changed[i] ^= 1;
    }
    if (content.unrelated) {
      Generate(type, changed.data(), changed.size() / size, kKey, 1);
    }
    Repeat(changed, got);
    report->Measure(
        "compare", ElementTypeName(type), content.name, 2 * want.bytes(), [&] {
          return CompareOnDevice(type, task.get(), 1, count, ToleranceFor(type),
                                 result.get(), scratch.get(), nullptr);
        });
  }
}

// What a call costs when there is next to nothing to compare.
void BenchmarkTinyCompare(const DeviceBuffer& got, const DeviceBuffer& want,
                          Report* report) {
  constexpr int kTasks = 64;
  constexpr uint64_t kCount = 1024;
  std::vector<CompareTask> tasks(kTasks, {got.get(), want.get(), kCount});
  const DeviceArray<CompareTask> device_tasks(tasks);
  const DeviceArray<CompareResult> results(kTasks);
  const DeviceBuffer scratch(CompareScratchBytes(kTasks));
  for (const int count : {1, kTasks}) {
    const size_t bytes =
        2 * kCount * sizeof(float) * static_cast<size_t>(count);
    report->Measure(count == 1 ? "compare 1 tiny" : "compare 64 tiny",
                    "float32", "unrelated", bytes, [&] {
                      return CompareOnDevice(ElementType::kFloat32,
                                             device_tasks.get(), count, kCount,
                                             {0.01, 0.01}, results.get(),
                                             scratch.get(), nullptr);
                    });
  }
}

void BenchmarkGenerate(const DeviceBuffer& out, Report* report) {
  for (const ElementType type : kElementTypes) {
    report->Measure("generate", ElementTypeName(type), "", out.bytes(), [&] {
      return GenerateOnDevice(type, out.get(), out.bytes() / ElementBytes(type),
                              kKey, 0, nullptr);
    });
  }
}

void BenchmarkSoftmax(const DeviceBuffer& data, Report* report) {
  constexpr size_t kCols = 131072;
  const size_t rows = data.bytes() / sizeof(float) / kCols;
  CheckCuda(GenerateOnDevice(ElementType::kFloat32, data.get(), rows * kCols,
                             kKey, 0, nullptr),
            "GenerateOnDevice");
  report->Measure(
      "softmax", "float32", "rows of 131072", 2 * data.bytes(), [&] {
        return SoftmaxRowsOnDevice(ElementType::kFloat32, data.get(), rows,
                                   kCols, nullptr);
      });
}

void BenchmarkBytes(const DeviceBuffer& data, Report* report) {
  const size_t bytes = data.bytes();
  const DeviceArray<PatternTask> task(
      std::vector<PatternTask>{{data.get(), bytes, 0}});
  const DeviceArray<uint64_t> answer(1);
  report->Measure("fill pattern", "bytes", "", bytes, [&] {
    return FillPatternsOnDevice(task.get(), 1, bytes, kKey, nullptr);
  });
  report->Measure("find damage", "bytes", "intact", bytes, [&] {
    return FindDamageOnDevice(task.get(), 1, bytes, kKey, answer.get(),
                              nullptr);
  });
  report->Measure("checksum", "bytes", "", bytes, [&] {
    return ChecksumOnDevice(data.get(), bytes, kKey, answer.get(), nullptr);
  });
}

void BenchmarkYardsticks(const DeviceBuffer& a, const DeviceBuffer& b,
                         Report* report) {
  report->set_copy_rate(
      report->Measure("copy", "bytes", "", 2 * a.bytes(), [&] {
        return cudaMemcpyAsync(a.get(), b.get(), a.bytes(),
                               cudaMemcpyDeviceToDevice, nullptr);
      }));
  int cache = 0;
  CheckCuda(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0),
            "reading the cache size");
  const size_t flush = std::min(a.bytes(), 2 * static_cast<size_t>(cache));
  report->Measure("memset of twice the L2 cache", "bytes", "", flush,
                  [&] { return cudaMemsetAsync(a.get(), 0, flush, nullptr); });
}

int Run(size_t bytes) {
  cudaDeviceProp properties;
  CheckCuda(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  const double peak = PeakBytesPerSecond();
  const DeviceBuffer a(bytes);
  const DeviceBuffer b(bytes);
  a.Fill(0);
  b.Fill(0);
  std::printf(
      "{\"device\": \"%s\", \"peak_gb_per_s\": %.1f, \"samples\": %d, "
      "\"measurements\": [",
      properties.name, peak * 1e-9, kSamples);
  Report report(peak);
  BenchmarkYardsticks(a, b, &report);
  for (const ElementType type : kElementTypes) {
    BenchmarkCompare(type, a, b, &report);
  }
  BenchmarkTinyCompare(a, b, &report);
  BenchmarkGenerate(a, &report);
  BenchmarkSoftmax(a, &report);
  BenchmarkBytes(a, &report);
  std::printf("\n]}\n");
  return 0;
}

}  // namespace
}  // namespace assay::measure

int main(int argc, char** argv) {
  const size_t bytes =
      argc > 1 ? std::strtoull(argv[1], nullptr, 10) : size_t{1} << 30;
  constexpr size_t kSmallest = size_t{1} << 20;
  if (argc > 2 || bytes < kSmallest || bytes % kSmallest != 0) {
    std::fprintf(stderr,
                 "usage: %s [BYTES_OF_A_TENSOR]; bytes is a multiple of %zu\n",
                 argv[0], kSmallest);
    return 2;
  }
  return assay::measure::Run(bytes);
}
