// Element types of tensors, and their values as numbers.
//
// The CPU kernels and their CUDA twins agree on all that is said here. Nothing
// in this folder allocates, throws or keeps state; functions may be called from
// any thread as long as the memory they are given is not written meanwhile.

#ifndef ASSAY_KERNELS_MEASURE_ELEMENT_TYPE_H_
#define ASSAY_KERNELS_MEASURE_ELEMENT_TYPE_H_

#include <cstddef>

namespace assay::measure {

// Names follow the FlashInfer-Trace schema.
enum class ElementType {
  kFloat64,
  kFloat32,
  kFloat16,
  kBFloat16,
  // 1 sign, 4 exponent and 3 mantissa bits: no infinities, one NaN per sign.
  kFloat8E4M3FN,
  // 1 sign, 5 exponent and 2 mantissa bits, as IEEE 754 would have it.
  kFloat8E5M2,
  // One element is one byte with two values of 1 sign, 2 exponent and 1
  // mantissa bit, the first in the low half. No infinities, no NaN.
  kFloat4E2M1FNx2,
  kInt64,
  kInt32,
  kInt16,
  kInt8,
  kUInt8,
  // One byte, 0 or 1.
  kBool,
};

// All of them, for tables and tests.
inline constexpr ElementType kElementTypes[] = {
    ElementType::kFloat64,        ElementType::kFloat32,
    ElementType::kFloat16,        ElementType::kBFloat16,
    ElementType::kFloat8E4M3FN,   ElementType::kFloat8E5M2,
    ElementType::kFloat4E2M1FNx2, ElementType::kInt64,
    ElementType::kInt32,          ElementType::kInt16,
    ElementType::kInt8,           ElementType::kUInt8,
    ElementType::kBool,
};

// Bytes of one element.
size_t ElementBytes(ElementType type);

// Values in one element: 2 for float4_e2m1fn_x2, else 1.
size_t ValuesPerElement(ElementType type);

// Whether values are floating-point numbers.
bool IsFloatingPoint(ElementType type);

// "float32", "float4_e2m1fn_x2", ...
const char* ElementTypeName(ElementType type);

// Value number `index` (counted in values, not elements) as a double. Exact but
// for int64 beyond 2^53, which is rounded to nearest. `data` needs no
// alignment. A bool is 1 when its byte is not 0.
double LoadAsDouble(ElementType type, const void* data, size_t index);

// Stores value number `index`: the nearest representable one, ties to even.
// - Too large in magnitude: infinity where the type has one, NaN for
//   float8_e4m3fn (above 464, halfway to what would follow 448), the largest
//   value for float4_e2m1fn_x2 (6) and for integers.
// - NaN: a quiet NaN of the same sign; 6 for float4_e2m1fn_x2, as CUDA converts
//   it; 0 for integers.
// - bool: 0 for 0, else 1.
void StoreFromDouble(ElementType type, double value, void* data, size_t index);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_ELEMENT_TYPE_H_
