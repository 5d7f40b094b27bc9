// Turns random rows into probability distributions, for sampling operators.

#ifndef ASSAY_KERNELS_MEASURE_SOFTMAX_H_
#define ASSAY_KERNELS_MEASURE_SOFTMAX_H_

#include <cstddef>

#include "kernels/measure/element_type.h"

namespace assay::measure {

// Replaces each of `rows` rows of `cols` finite values by its softmax, computed
// in float32 and rounded once to the type. A row may have up to 2^27 values.
// The sum is kept in fixed point, so the order of its terms does not matter: a
// device that adds in parallel gets the same bits. Returns false, with nothing
// written, for a type that is not float32, float16 or bfloat16.
bool SoftmaxRows(ElementType type, void* data, size_t rows, size_t cols);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_SOFTMAX_H_
