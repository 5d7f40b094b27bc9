#include "kernels/measure/cuda_generate.h"
#include "kernels/measure/cuda_grid.h"
#include "kernels/measure/cuda_memory.cuh"
#include "kernels/measure/random_values.h"
#include "kernels/measure/vector_encode.h"

namespace assay::measure {
namespace {

constexpr int kBlocksPerProcessor = 8;

// What a thread makes at a time: whole vectors from whole Philox blocks.
template <typename Codec>
struct Run {
  static constexpr int kVectorValues = VectorShape<Codec>::kValues;
  static constexpr int kValues =
      kVectorValues > kBlockWords ? kVectorValues : kBlockWords;
  static constexpr int kBlocks = kValues / kBlockWords;
  static constexpr int kVectors = kValues / kVectorValues;
};

template <typename Source>
__global__ void __launch_bounds__(kBlockThreads)
    GenerateKernel(Source source, void* data, uint64_t bytes) {
  using Codec = typename Source::Codec;
  using Shape = Run<Codec>;
  const uint64_t runs =
      DivideUp(bytes, uint64_t{Shape::kVectors} * kVectorBytes);
  const uint64_t step = static_cast<uint64_t>(gridDim.x) * kBlockThreads;
  for (uint64_t run =
           static_cast<uint64_t>(blockIdx.x) * kBlockThreads + threadIdx.x;
       run < runs; run += step) {
    typename Codec::Value values[Shape::kValues];
#pragma unroll
    for (int i = 0; i < Shape::kBlocks; ++i) {
      source.Block(run * Shape::kBlocks + i, values + i * kBlockWords);
    }
#pragma unroll
    for (int i = 0; i < Shape::kVectors; ++i) {
      StoreVectorOf(EncodeVector<Codec>(values + i * Shape::kVectorValues),
                    data, bytes, run * Shape::kVectors + i);
    }
  }
}

template <typename Source>
cudaError_t Launch(const Source& source, void* data, size_t count,
                   cudaStream_t stream) {
  using Codec = typename Source::Codec;
  const uint64_t bytes = count * ElementBytesOf<Codec>();
  constexpr uint64_t kRunBytes = uint64_t{Run<Codec>::kVectors} * kVectorBytes;
  unsigned int blocks = 0;
  const cudaError_t error =
      GridBlocks(DivideUp(DivideUp(bytes, kRunBytes), kBlockThreads),
                 kBlocksPerProcessor, &blocks);
  if (error != cudaSuccess) return error;
  GenerateKernel<<<blocks, kBlockThreads, 0, stream>>>(source, data, bytes);
  return cudaGetLastError();
}

template <typename Codec>
cudaError_t LaunchNormal(const RandomStream& words, void* data, size_t count,
                         cudaStream_t stream) {
  return Launch(NormalSource<Codec>{words}, data, count, stream);
}

template <typename T>
cudaError_t LaunchUniform(const RandomStream& words, int32_t low, uint32_t bits,
                          void* data, size_t count, cudaStream_t stream) {
  return Launch(UniformSource<T>{words, low, bits}, data, count, stream);
}

}  // namespace

cudaError_t GenerateOnDevice(ElementType type, void* data, size_t count,
                             const Key& key, uint32_t stream_number,
                             cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  if (reinterpret_cast<uintptr_t>(data) % kVectorBytes != 0) {
    return cudaErrorMisalignedAddress;
  }
  const RandomStream words = MakeStream(key, Domain::kValues, stream_number);
  switch (type) {
    case ElementType::kFloat64:
      return Launch(WideNormalSource{words, MakeStream(key, Domain::kValuesLow,
                                                       stream_number)},
                    data, count, stream);
    case ElementType::kFloat32:
      return LaunchNormal<Float32Codec>(words, data, count, stream);
    case ElementType::kFloat16:
      return LaunchNormal<Float16Codec>(words, data, count, stream);
    case ElementType::kBFloat16:
      return LaunchNormal<BFloat16Codec>(words, data, count, stream);
    case ElementType::kFloat8E4M3FN:
      return LaunchNormal<Float8E4M3FNCodec>(words, data, count, stream);
    case ElementType::kFloat8E5M2:
      return LaunchNormal<Float8E5M2Codec>(words, data, count, stream);
    case ElementType::kFloat4E2M1FNx2:
      return LaunchNormal<Float4E2M1FNCodec>(words, data, count, stream);
    case ElementType::kInt64:
      return LaunchUniform<int64_t>(words, -1024, 11, data, count, stream);
    case ElementType::kInt32:
      return LaunchUniform<int32_t>(words, -1024, 11, data, count, stream);
    case ElementType::kInt16:
      return LaunchUniform<int16_t>(words, -1024, 11, data, count, stream);
    case ElementType::kInt8:
      return LaunchUniform<int8_t>(words, -128, 8, data, count, stream);
    case ElementType::kUInt8:
      return LaunchUniform<uint8_t>(words, 0, 8, data, count, stream);
    case ElementType::kBool:
      return LaunchUniform<uint8_t>(words, 0, 1, data, count, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace assay::measure
