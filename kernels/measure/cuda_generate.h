// Random tensors made on a GPU: the twin of generate.h.
//
//   GenerateOnDevice(ElementType::kBFloat16, data, count, key, /*stream=*/0,
//                    cuda_stream);
//
// Like all of the CUDA twins it only queues work on the stream, may be called
// from any thread, and works on the calling thread's current device. What it
// returns is that of the launch; errors while running surface later.

#ifndef ASSAY_KERNELS_MEASURE_CUDA_GENERATE_H_
#define ASSAY_KERNELS_MEASURE_CUDA_GENERATE_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/measure/element_type.h"
#include "kernels/measure/philox.h"

namespace assay::measure {

// Fills `count` elements of device memory with the bits that Generate writes.
// `data` is aligned to 16 bytes; otherwise the answer is
// cudaErrorMisalignedAddress.
cudaError_t GenerateOnDevice(ElementType type, void* data, size_t count,
                             const Key& key, uint32_t stream_number,
                             cudaStream_t stream);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_GENERATE_H_
