#include "kernels/measure/cuda_compare.h"
#include "kernels/measure/cuda_compare_kernel.cuh"

namespace assay::measure {
namespace {

// More than any GPU has multiprocessors, times the blocks on each.
constexpr unsigned int kMaxBlocksPerTask = 1024;
constexpr size_t kScratchAlignment = 16;

size_t CounterBytes(int count) {
  return DivideUp(static_cast<size_t>(count) * sizeof(unsigned int),
                  kScratchAlignment) *
         kScratchAlignment;
}

// A call without its element type.
struct Call {
  const CompareTask* tasks;
  unsigned int count;
  unsigned int blocks_per_task;
  CompareResult* results;
  CompareScratch scratch;
  cudaStream_t stream;
};

template <typename Accumulator>
cudaError_t Launch(const Call& call, const Accumulator& start) {
  CompareKernel<Accumulator>
      <<<call.count * call.blocks_per_task, kBlockThreads, 0, call.stream>>>(
          call.tasks, call.blocks_per_task, start, call.results, call.scratch);
  return cudaGetLastError();
}

template <typename Accumulator>
cudaError_t LaunchFloats(const Call& call, const Tolerance& tolerance) {
  using T = typename Accumulator::Codec::Value;
  const Limits<T> limits = {static_cast<T>(tolerance.atol),
                            static_cast<T>(tolerance.rtol)};
  return Launch(call, Accumulator(limits));
}

template <typename T>
cudaError_t LaunchIntegers(const Call& call) {
  return Launch(call, IntegerAccumulator<IntegerCodec<T>>());
}

template <typename T>
cudaError_t LaunchSmallIntegers(const Call& call) {
  return Launch(call, SmallIntegerAccumulator<IntegerCodec<T>>());
}

cudaError_t LaunchFor(ElementType type, const Call& call,
                      const Tolerance& tolerance) {
  switch (type) {
    case ElementType::kFloat64:
      return LaunchFloats<FloatAccumulator<Float64Codec>>(call, tolerance);
    case ElementType::kFloat32:
      return LaunchFloats<FloatAccumulator<Float32Codec>>(call, tolerance);
    case ElementType::kFloat16:
      return LaunchFloats<FloatAccumulator<Float16Codec>>(call, tolerance);
    case ElementType::kBFloat16:
      return LaunchFloats<FloatAccumulator<BFloat16Codec>>(call, tolerance);
    case ElementType::kFloat8E4M3FN:
      return LaunchFloats<SmallFloatAccumulator<Float8E4M3FNCodec>>(call,
                                                                    tolerance);
    case ElementType::kFloat8E5M2:
      return LaunchFloats<SmallFloatAccumulator<Float8E5M2Codec>>(call,
                                                                  tolerance);
    case ElementType::kFloat4E2M1FNx2:
      return LaunchFloats<SmallFloatAccumulator<Float4E2M1FNCodec>>(call,
                                                                    tolerance);
    case ElementType::kInt64:
      return LaunchIntegers<int64_t>(call);
    case ElementType::kInt32:
      return LaunchIntegers<int32_t>(call);
    case ElementType::kInt16:
      return LaunchSmallIntegers<int16_t>(call);
    case ElementType::kInt8:
      return LaunchSmallIntegers<int8_t>(call);
    case ElementType::kUInt8:
    case ElementType::kBool:
      return LaunchSmallIntegers<uint8_t>(call);
  }
  return cudaErrorInvalidValue;
}

}  // namespace

size_t CompareScratchBytes(int count) {
  return CounterBytes(count) + static_cast<size_t>(count) * kMaxBlocksPerTask *
                                   sizeof(CompareSummary);
}

cudaError_t CompareOnDevice(ElementType type, const CompareTask* tasks,
                            int count, uint64_t max_elements,
                            const Tolerance& tolerance, CompareResult* results,
                            void* scratch, cudaStream_t stream) {
  if (count <= 0) return count == 0 ? cudaSuccess : cudaErrorInvalidValue;
  const uint64_t tiles = DivideUp(max_elements * ElementBytes(type),
                                  uint64_t{kTileVectors} * kVectorBytes);
  const int per_processor = type == ElementType::kFloat64
                                ? kCompareBlocksPerProcessor<double>
                                : kCompareBlocksPerProcessor<float>;
  unsigned int blocks = 0;
  cudaError_t error =
      GridBlocks(tiles < kMaxBlocksPerTask ? tiles : kMaxBlocksPerTask,
                 per_processor, &blocks);
  if (error != cudaSuccess) return error;
  auto* const finished = static_cast<unsigned int*>(scratch);
  if (blocks > 1) {
    error = cudaMemsetAsync(finished, 0, CounterBytes(count), stream);
    if (error != cudaSuccess) return error;
  }
  auto* const summaries = reinterpret_cast<CompareSummary*>(
      static_cast<char*>(scratch) + CounterBytes(count));
  const Call call = {tasks,
                     static_cast<unsigned int>(count),
                     blocks,
                     results,
                     {finished, summaries},
                     stream};
  return LaunchFor(type, call, tolerance);
}

}  // namespace assay::measure
