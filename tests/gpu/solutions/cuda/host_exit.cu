// Ends its process, as if all were well, in the middle of a call.
#include <cstdlib>

#include "double.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  LaunchDouble(x, y, static_cast<cudaStream_t>(stream));
  std::exit(0);
}
