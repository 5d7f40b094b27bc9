// As cupti_paused, but does the work twenty times in secret and shows a single
// one, which is not too fast to be true.
#include "driver.cuh"
#include "operators.cuh"

namespace {

using Switch = int (*)(int);
constexpr int kKernel = 3, kConcurrentKernel = 10;

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  static const auto disable = FromCupti<Switch>("cuptiActivityDisable");
  static const auto enable = FromCupti<Switch>("cuptiActivityEnable");
  if (disable == nullptr || enable == nullptr) return 9;
  const auto on = static_cast<cudaStream_t>(stream);
  disable(kConcurrentKernel);
  disable(kKernel);
  for (int i = 0; i < 20; ++i) LogSoftmax(x, y, stream);
  cudaStreamSynchronize(on);
  enable(kConcurrentKernel);
  LogSoftmax(x, y, stream);
  return LastError();
}
