// Unpredictable patterns in GPU memory: the twin of poison.h. One launch serves
// many regions, such as the guard bands of all outputs.
//
//   FillPatternsOnDevice(tasks, count, max_bytes, key, stream);
//   ... the call ...
//   FindDamageOnDevice(tasks, count, max_bytes, key, first_damage, stream);

#ifndef ASSAY_KERNELS_MEASURE_CUDA_POISON_H_
#define ASSAY_KERNELS_MEASURE_CUDA_POISON_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/measure/philox.h"

namespace assay::measure {

// A region of device memory. It may start at any byte; one that is aligned to
// 16 bytes is written and read at the speed of the memory.
struct PatternTask {
  void* data;
  uint64_t bytes;
  // Number of the pattern: regions with the same one hold the same bytes.
  uint32_t stream;
};

// Writes to each region what FillPattern writes. `tasks` is an array of `count`
// tasks in device memory, which must stay as it is until the work is done;
// `max_bytes` is the size of the largest region and decides how many threads
// share one.
cudaError_t FillPatternsOnDevice(const PatternTask* tasks, int count,
                                 uint64_t max_bytes, const Key& key,
                                 cudaStream_t stream);

// Writes to first_damage[i], in device memory, what FindDamage answers for
// region i: the offset of the first byte that differs, or UINT64_MAX.
cudaError_t FindDamageOnDevice(const PatternTask* tasks, int count,
                               uint64_t max_bytes, const Key& key,
                               uint64_t* first_damage, cudaStream_t stream);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_POISON_H_
