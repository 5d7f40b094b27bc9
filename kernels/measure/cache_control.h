// Memory past the processor's caches: what is copied or evicted here is found
// in memory by whoever reads it next, on any processor.
//
//   StreamCopy(shared, private, bytes);   // cold at its destination
//   EvictFromCaches(weights, bytes);      // cold again
//
// Caches are coherent by physical address, so that eviction through one
// process's mapping holds for all others.

#ifndef ASSAY_KERNELS_MEASURE_CACHE_CONTROL_H_
#define ASSAY_KERNELS_MEASURE_CACHE_CONTROL_H_

#include <cstddef>

namespace assay::measure {

// Whether this processor can be told to evict a line. Where it cannot, the
// functions below copy, or do nothing, and leave the caches as they are.
bool CanControlCaches();

// As memcpy. The lines that `to` fills are in no cache afterwards; one that it
// shares with other data at either end is, too, evicted.
void StreamCopy(void* to, const void* from, size_t bytes);

// Evicts every line that the bytes touch, from the caches of all processors.
void EvictFromCaches(const void* data, size_t bytes);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CACHE_CONTROL_H_
