// Runs of values to and from float32. Internal to this folder.

#ifndef ASSAY_KERNELS_MEASURE_CONVERT_H_
#define ASSAY_KERNELS_MEASURE_CONVERT_H_

#include <cstddef>

#include "kernels/measure/element_type.h"

namespace assay::measure {

// Whether float32 holds every value of the type: all floating-point types but
// float64. The functions below take no others.
bool FitsFloat(ElementType type);

// Reads `elements` elements, each once, into ElementBytes-independent floats:
// `out` has room for elements * ValuesPerElement(type).
void ToFloats(ElementType type, const void* data, size_t elements, float* out);

// Writes `elements` elements, rounded as StoreFromDouble does.
void FromFloats(ElementType type, const float* values, size_t elements,
                void* data);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CONVERT_H_
