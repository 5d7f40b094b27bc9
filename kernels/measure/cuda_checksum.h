// The keyed checksum of GPU memory: the twin of checksum.h.

#ifndef ASSAY_KERNELS_MEASURE_CUDA_CHECKSUM_H_
#define ASSAY_KERNELS_MEASURE_CUDA_CHECKSUM_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/measure/philox.h"

namespace assay::measure {

// Writes to *result, in device memory, what Checksum returns. Queues the work
// on `stream`. `data` needs no alignment; aligned to 16 bytes it is read at the
// speed of the memory.
cudaError_t ChecksumOnDevice(const void* data, size_t bytes, const Key& key,
                             uint64_t* result, cudaStream_t stream);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_CHECKSUM_H_
