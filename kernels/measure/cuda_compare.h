// Judges outputs in GPU memory: the twin of compare.h. One launch compares many
// tensors, in one pass, without copying any of them.
//
//   // tasks, results and scratch are in device memory.
//   CompareOnDevice(ElementType::kBFloat16, tasks, count, max_elements,
//                   {1e-2, 1e-2}, results, scratch, stream);

#ifndef ASSAY_KERNELS_MEASURE_CUDA_COMPARE_H_
#define ASSAY_KERNELS_MEASURE_CUDA_COMPARE_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/measure/compare.h"
#include "kernels/measure/element_type.h"

namespace assay::measure {

// Two tensors of the same type in device memory. They need no alignment;
// aligned to 16 bytes both are read at the speed of the memory.
struct CompareTask {
  // May be written by a hostile process meanwhile: each element is read once.
  const void* got;
  const void* want;
  uint64_t elements;
};

// Size of the memory that a call with `count` tasks needs beside its results.
size_t CompareScratchBytes(int count);

// Writes to results[i] what Compare returns for task i, field by field. `tasks`
// is an array of `count` tasks in device memory, `max_elements` the size of the
// largest, which decides how many threads share one. `scratch` is device
// memory, aligned to 16 bytes, of any content, that no other call uses
// meanwhile. All three must stay until the work is done. Queues one launch,
// and before it, unless all tensors are small, one of a few bytes of memset.
cudaError_t CompareOnDevice(ElementType type, const CompareTask* tasks,
                            int count, uint64_t max_elements,
                            const Tolerance& tolerance, CompareResult* results,
                            void* scratch, cudaStream_t stream);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_COMPARE_H_
