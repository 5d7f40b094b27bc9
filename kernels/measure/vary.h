// Inputs that are nearly those that are stored: an answer that was stored with
// them is wrong for these.
//
//   Vary(ElementType::kBFloat16, stored, varied, count, key, /*stream=*/0);

#ifndef ASSAY_KERNELS_MEASURE_VARY_H_
#define ASSAY_KERNELS_MEASURE_VARY_H_

#include <cstddef>
#include <cstdint>

#include "kernels/measure/element_type.h"
#include "kernels/measure/philox.h"

namespace assay::measure {

// Whether Vary takes the type: floating-point types of 8 bits and more.
bool CanVary(ElementType type);

// Writes `count` elements, each the stored one times 1 + u / 8, rounded, with u
// uniform in [-1, 1). Signs, zeros, infinities and NaN stay, and so does a
// value that would become one of them. Element i depends on the stored one, the
// key, the stream and i alone, bit for bit, on every processor. The memory does
// not overlap and is aligned to the type. False, with nothing written, for a
// type that it does not take.
bool Vary(ElementType type, const void* stored, void* varied, size_t count,
          const Key& key, uint32_t stream);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_VARY_H_
