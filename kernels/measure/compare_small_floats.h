// As FloatAccumulator, for the types of 4 and 8 bits. Internal to this folder;
// for CUDA, the CPU compiles it for tests.
//
// There are so many values in a vector that even decoding them one by one takes
// longer than reading them. So a first screen finds the units that can matter,
// several values at a time, and FloatAccumulator screens the values of those.

#ifndef ASSAY_KERNELS_MEASURE_COMPARE_SMALL_FLOATS_H_
#define ASSAY_KERNELS_MEASURE_COMPARE_SMALL_FLOATS_H_

#include <cstdint>
#include <type_traits>

#include "kernels/measure/attributes.h"
#include "kernels/measure/compare_accumulator.h"
#include "kernels/measure/compare_summary.h"
#include "kernels/measure/half_screen.h"
#include "kernels/measure/judge.h"
#include "kernels/measure/nibble_screen.h"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {

template <typename CodecType>
class SmallFloatAccumulator {
 public:
  using Codec = CodecType;
  using Shape = VectorShape<Codec>;
  using FirstScreen =
      std::conditional_t<Codec::kBits == 4, NibbleScreen, HalfScreen<Codec>>;

  ASSAY_HOST_DEVICE explicit SmallFloatAccumulator(const Limits<float>& limits)
      : exact_(limits), screen_(limits) {}

  // A bit for each unit that AddUnit must see.
  ASSAY_HOST_DEVICE uint32_t Screen(const Vector& got,
                                    const Vector& want) const {
    uint32_t units = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int unit = 0; unit < Shape::kUnits; ++unit) {
      const bool passes = screen_.Passes(got.words[unit], want.words[unit]);
      units |= passes ? 0U : 1U << unit;
    }
    return units;
  }

  // As FloatAccumulator. The first screen does not learn of it before Raise.
  ASSAY_HOST_DEVICE void AddUnit(int unit, const Vector& got,
                                 const Vector& want, uint64_t first_index) {
    exact_.AddUnit(unit, got, want, first_index);
  }

  ASSAY_HOST_DEVICE float max_abs() const { return exact_.max_abs(); }
  ASSAY_HOST_DEVICE float max_rel() const { return exact_.max_rel(); }
  ASSAY_HOST_DEVICE void Raise(float max_abs, float max_rel) {
    exact_.Raise(max_abs, max_rel);
    if (exact_.max_abs() == screened_abs_ &&
        exact_.max_rel() == screened_rel_) {
      return;
    }
    screened_abs_ = exact_.max_abs();
    screened_rel_ = exact_.max_rel();
    screen_.Raise(screened_abs_, screened_rel_);
  }

  ASSAY_HOST_DEVICE CompareSummary Summary() const { return exact_.Summary(); }

 private:
  FloatAccumulator<Codec> exact_;
  FirstScreen screen_;
  // The largest errors that the first screen knows of.
  float screened_abs_ = 0;
  float screened_rel_ = 0;
};

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_COMPARE_SMALL_FLOATS_H_
