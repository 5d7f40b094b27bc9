// Pairs of tensors that comparisons get wrong easily, and what tests say about
// results. For tests, on the CPU and on the GPU.
//
//   for (const PairKind kind : kPairKinds) {
//     const TensorPair pair = MakePair(type, kind, count);
//     ... compare pair.got with pair.want ...
//   }

#ifndef ASSAY_KERNELS_MEASURE_COMPARE_TESTING_H_
#define ASSAY_KERNELS_MEASURE_COMPARE_TESTING_H_

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/measure/compare.h"
#include "kernels/measure/element_type.h"

namespace assay::measure {

enum class PairKind {
  kEqual,
  // Unrelated values: nearly all differ.
  kUnrelated,
  // A tenth of the values differ in their last bit: errors of few sizes, so
  // ties for the worst one.
  kLastBits,
  // All values, or every second one of float4, differ in their last bit: the
  // largest errors occur over and over.
  kAllLastBits,
  // One value differs.
  kOnePlace,
  // Any bits at all: NaN, infinities and subnormal values among them.
  kAnyBits,
  // NaN, infinities, zeros of both signs, largest and smallest values, against
  // each other.
  kSpecials,
};

inline constexpr PairKind kPairKinds[] = {
    PairKind::kEqual,       PairKind::kUnrelated, PairKind::kLastBits,
    PairKind::kAllLastBits, PairKind::kOnePlace,  PairKind::kAnyBits,
    PairKind::kSpecials,
};

const char* PairKindName(PairKind kind);

struct TensorPair {
  std::vector<unsigned char> got;
  std::vector<unsigned char> want;
};

// `count` elements of each; always the same ones for the same arguments.
TensorPair MakePair(ElementType type, PairKind kind, size_t count);

// Tolerances from none to all, and between.
inline constexpr Tolerance kTestTolerances[] = {
    {0, 0}, {0.01, 0.01}, {0.5, 0}, {0, 0.25}, {1e300, 1e300}, {2, 1e-9},
};

// All fields, bit by bit: empty when `a` and `b` are the same, else which
// differ and how.
std::string Difference(const CompareResult& a, const CompareResult& b);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_COMPARE_TESTING_H_
