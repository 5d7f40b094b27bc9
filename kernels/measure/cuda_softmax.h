// Probability distributions made on a GPU: the twin of softmax.h.

#ifndef ASSAY_KERNELS_MEASURE_CUDA_SOFTMAX_H_
#define ASSAY_KERNELS_MEASURE_CUDA_SOFTMAX_H_

#include <cuda_runtime_api.h>

#include <cstddef>

#include "kernels/measure/element_type.h"

namespace assay::measure {

// Replaces each of `rows` rows of `cols` finite values in device memory by the
// bits that SoftmaxRows writes. Queues the work on `stream`.
// cudaErrorInvalidValue, with nothing written, for a type that is not float32,
// float16 or bfloat16. `data` is aligned to the type.
cudaError_t SoftmaxRowsOnDevice(ElementType type, void* data, size_t rows,
                                size_t cols, cudaStream_t stream);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_SOFTMAX_H_
