// Random input tensors.
//
//   Generate(ElementType::kBFloat16, data, count, key, /*stream=*/0);
//
// Value i of a stream depends on the element type, the key, the stream and i
// alone, bit for bit, on every processor (see normal.h for how): a draw made on
// a device can be checked on the host, and a failure reproduced from its seed.

#ifndef ASSAY_KERNELS_MEASURE_GENERATE_H_
#define ASSAY_KERNELS_MEASURE_GENERATE_H_

#include <cstddef>
#include <cstdint>

#include "kernels/measure/element_type.h"
#include "kernels/measure/philox.h"

namespace assay::measure {

// Fills `count` elements. Give each input of a draw its own `stream`.
// - float64, float32, float16, bfloat16: standard normal, at most 6.6 in
//   magnitude. float64 is no widened float32: its low bits are random too.
// - float8, float4: standard normal clamped to [-2, 2].
// - int8: uniform in [-128, 127]; uint8: in [0, 255]; int16, int32, int64: in
//   [-1024, 1023]; bool: 0 or 1.
// These are the ranges of FlashInfer-Bench, which has none for float64 and
// uint8. `data` needs no alignment.
void Generate(ElementType type, void* data, size_t count, const Key& key,
              uint32_t stream);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_GENERATE_H_
