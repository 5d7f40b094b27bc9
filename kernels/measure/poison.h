// Unpredictable patterns: what output memory holds before a call, and what the
// guard bands around a tensor must still hold after it.
//
//   FillPattern(band, kGuardBytes, key, stream);
//   ... the call ...
//   if (FindDamage(band, kGuardBytes, key, stream) != kIntact) ...
//
// Whoever does not know the key can neither recognise the pattern nor restore
// it after overwriting it.

#ifndef ASSAY_KERNELS_MEASURE_POISON_H_
#define ASSAY_KERNELS_MEASURE_POISON_H_

#include <cstddef>
#include <cstdint>

#include "kernels/measure/philox.h"

namespace assay::measure {

// Answer of FindDamage when all bytes are as they were written.
inline constexpr size_t kIntact = SIZE_MAX;

// Writes `bytes` random bytes. Byte i depends on the key, the stream and i
// alone, and is unrelated to the values of Generate with the same ones.
void FillPattern(void* data, size_t bytes, const Key& key, uint32_t stream);

// Offset of the first byte that differs from what FillPattern wrote, or
// kIntact.
size_t FindDamage(const void* data, size_t bytes, const Key& key,
                  uint32_t stream);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_POISON_H_
