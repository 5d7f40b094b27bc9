// Times a compiled solution with CUPTI and nothing of Assay, as a yardstick for
// what Assay reports:
//
//   cupti_reference LIBRARY ROWS COLUMNS MICROSECONDS [SAMPLES]
//
// LIBRARY exports `int run(const DLTensor* x, int32_t microseconds, DLTensor*
// y, void* stream)` on float32 tensors of ROWS x COLUMNS. Before each call
// twice the L2 cache is overwritten. Prints a line of JSON: median, 10th and
// 90th percentile in microseconds of a call's span, from the start of its first
// kernel to the end of its last. All calls have as many kernels.

#include <cuda_runtime.h>
#include <cupti.h>
#include <dlfcn.h>
#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Solution = int (*)(const DLTensor*, int32_t, DLTensor*, void*);

[[noreturn]] void Fail(const char* what, const char* detail) {
  std::fprintf(stderr, "cupti_reference: %s: %s\n", what, detail);
  std::exit(1);
}

void Check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) Fail(what, cudaGetErrorString(error));
}

void Check(CUptiResult result, const char* what) {
  if (result != CUPTI_SUCCESS) Fail(what, "CUPTI refuses");
}

// CUPTI's functions, found when the program runs.
struct Cupti {
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks;
  decltype(&cuptiActivityEnable) enable;
  decltype(&cuptiActivityFlushAll) flush_all;
  decltype(&cuptiActivityGetNextRecord) next_record;
};

void* OpenCupti() {
  for (const char* path :
       {"libcupti.so.13", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
        "/usr/local/cuda/lib64/libcupti.so", "libcupti.so.12"}) {
    if (void* library = dlopen(path, RTLD_NOW)) return library;
  }
  Fail("CUPTI is not installed", dlerror());
}

template <typename Function>
void Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) Fail("missing function", name);
}

// CUPTI calls back without a context of ours.
Cupti cupti;

struct Kernel {
  uint64_t start_ns;
  uint64_t end_ns;
};
std::vector<Kernel> kernels;

void CUPTIAPI GiveBuffer(uint8_t** buffer, size_t* size, size_t* max_records) {
  constexpr size_t kBytes = size_t{1} << 20;
  *buffer = static_cast<uint8_t*>(std::malloc(kBytes));
  *size = kBytes;
  *max_records = 0;
}

void CUPTIAPI TakeBuffer(CUcontext, uint32_t, uint8_t* buffer, size_t,
                         size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cupti.next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
    const auto* kernel =
        reinterpret_cast<const CUpti_ActivityKernel10*>(record);
    kernels.push_back({kernel->start, kernel->end});
  }
  std::free(buffer);
}

void StartCupti() {
  void* library = OpenCupti();
  Find(library, "cuptiActivityRegisterCallbacks", cupti.register_callbacks);
  Find(library, "cuptiActivityEnable", cupti.enable);
  Find(library, "cuptiActivityFlushAll", cupti.flush_all);
  Find(library, "cuptiActivityGetNextRecord", cupti.next_record);
  Check(cupti.register_callbacks(GiveBuffer, TakeBuffer), "callbacks");
  Check(cupti.enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "kernel records");
}

DLTensor Tensor(int64_t* shape) {
  DLTensor tensor = {};
  const auto elements = static_cast<size_t>(shape[0] * shape[1]);
  const size_t bytes = elements * sizeof(float);
  Check(cudaMalloc(&tensor.data, bytes), "allocating a tensor");
  Check(cudaMemset(tensor.data, 0, bytes), "clearing a tensor");
  tensor.device = {kDLCUDA, 0};
  tensor.ndim = 2;
  tensor.dtype = {kDLFloat, 32, 1};
  tensor.shape = shape;
  return tensor;
}

// The spans of `calls` calls, in microseconds, each of which had ended before
// the next began.
std::vector<double> Spans(size_t calls) {
  if (kernels.empty() || kernels.size() % calls != 0) {
    Fail("the records", "are not as many kernels for each call");
  }
  // Records of several streams come in no order.
  std::sort(
      kernels.begin(), kernels.end(),
      [](const Kernel& a, const Kernel& b) { return a.start_ns < b.start_ns; });
  const size_t of_a_call = kernels.size() / calls;
  std::vector<double> spans;
  for (size_t i = 0; i < kernels.size(); i += of_a_call) {
    uint64_t end_ns = 0;
    for (size_t k = i; k < i + of_a_call; ++k) {
      end_ns = std::max(end_ns, kernels[k].end_ns);
    }
    spans.push_back(static_cast<double>(end_ns - kernels[i].start_ns) / 1000);
  }
  return spans;
}

// Sorted, in microseconds.
std::vector<double> Measure(Solution run, int64_t* shape, int32_t length,
                            int samples) {
  int l2_bytes = 0;
  Check(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0), "L2");
  const size_t flush_bytes = 2 * static_cast<size_t>(l2_bytes);
  void* flush = nullptr;
  Check(cudaMalloc(&flush, flush_bytes), "allocating for the flush");
  const DLTensor x = Tensor(shape);
  DLTensor y = Tensor(shape);
  constexpr int kWarmup = 20;
  for (int i = -kWarmup; i < samples; ++i) {
    Check(cudaMemset(flush, i & 0xff, flush_bytes), "flushing");
    Check(cudaDeviceSynchronize(), "flushing");
    if (run(&x, length, &y, nullptr) != 0) Fail("the call", "failed");
    Check(cudaDeviceSynchronize(), "the call");
  }
  Check(cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
        "reading the records");
  std::vector<double> spans = Spans(static_cast<size_t>(samples) + kWarmup);
  spans.erase(spans.begin(), spans.begin() + kWarmup);
  std::sort(spans.begin(), spans.end());
  return spans;
}

double Quantile(const std::vector<double>& sorted, double share) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<size_t>(last * share)];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    Fail("usage", "LIBRARY ROWS COLUMNS MICROSECONDS [SAMPLES]");
  }
  StartCupti();
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) Fail("the library", dlerror());
  Solution run = nullptr;
  Find(library, "run", run);
  int64_t shape[] = {std::atoll(argv[2]), std::atoll(argv[3])};
  const int samples = argc > 5 ? std::atoi(argv[5]) : 200;
  const std::vector<double> spans =
      Measure(run, shape, std::atoi(argv[4]), samples);
  std::printf(
      "{\"median_us\": %.4f, \"p10_us\": %.4f, \"p90_us\": %.4f, "
      "\"samples\": %zu}\n",
      Quantile(spans, 0.5), Quantile(spans, 0.1), Quantile(spans, 0.9),
      spans.size());
  return 0;
}
