// Takes pointers where the binding passes tensors.
#include <cuda_runtime.h>

extern "C" int run(const float* x, float* y) { return x == y; }
