// Honest: times its variants at the first call and takes the fastest.
#include "operators.cuh"

namespace {

void Launch(const DLTensor* x, DLTensor* y, int64_t parts,
            cudaStream_t stream) {
  const int64_t rows = Rows(x) / parts;
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t start = part * rows * Columns(x);
    LaunchLogSoftmax(In(x) + start, Out(y) + start, rows, Columns(x), stream);
  }
}

int64_t Tune(const DLTensor* x, DLTensor* y, cudaStream_t stream) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  int64_t best = 1;
  float best_time = 1e9;
  for (const int64_t parts : {1, 2, 4}) {
    cudaEventRecord(start, stream);
    Launch(x, y, parts, stream);
    cudaEventRecord(stop, stream);
    cudaEventSynchronize(stop);
    float time = 0;
    cudaEventElapsedTime(&time, start, stop);
    if (time < best_time) {
      best_time = time;
      best = parts;
    }
  }
  return best;
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  static const int64_t parts = Tune(x, y, on);
  Launch(x, y, parts, on);
  return LastError();
}
