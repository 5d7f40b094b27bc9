// The twin of vary.h on a GPU.

#ifndef ASSAY_KERNELS_MEASURE_CUDA_VARY_H_
#define ASSAY_KERNELS_MEASURE_CUDA_VARY_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/measure/element_type.h"
#include "kernels/measure/philox.h"

namespace assay::measure {

// Writes the bits that Vary writes; cudaErrorInvalidValue for a type that it
// does not take.
cudaError_t VaryOnDevice(ElementType type, const void* stored, void* varied,
                         size_t count, const Key& key, uint32_t stream_number,
                         cudaStream_t stream);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_VARY_H_
