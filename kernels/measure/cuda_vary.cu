#include "kernels/measure/cuda_grid.h"
#include "kernels/measure/cuda_vary.h"
#include "kernels/measure/varied_value.h"

namespace assay::measure {
namespace {

constexpr int kBlocksPerProcessor = 8;

template <typename Codec>
__global__ void __launch_bounds__(kBlockThreads)
    VaryKernel(const typename CodeInMemory<Codec>::Type* stored,
               typename CodeInMemory<Codec>::Type* varied, uint64_t count,
               RandomStream words) {
  const uint64_t step = static_cast<uint64_t>(gridDim.x) * kBlockThreads;
  for (uint64_t block =
           static_cast<uint64_t>(blockIdx.x) * kBlockThreads + threadIdx.x;
       block * 4 < count; block += step) {
    VaryBlock<Codec>(stored, varied, count, block, words);
  }
}

template <typename Codec>
cudaError_t Launch(const void* stored, void* varied, size_t count,
                   const RandomStream& words, cudaStream_t stream) {
  using Code = typename CodeInMemory<Codec>::Type;
  unsigned int blocks = 0;
  const cudaError_t error = GridBlocks(DivideUp(count, 4 * kBlockThreads),
                                       kBlocksPerProcessor, &blocks);
  if (error != cudaSuccess) return error;
  VaryKernel<Codec><<<blocks, kBlockThreads, 0, stream>>>(
      static_cast<const Code*>(stored), static_cast<Code*>(varied), count,
      words);
  return cudaGetLastError();
}

}  // namespace

cudaError_t VaryOnDevice(ElementType type, const void* stored, void* varied,
                         size_t count, const Key& key, uint32_t stream_number,
                         cudaStream_t stream) {
  const RandomStream words = MakeStream(key, Domain::kVaried, stream_number);
  switch (type) {
    case ElementType::kFloat64:
      return Launch<Float64Codec>(stored, varied, count, words, stream);
    case ElementType::kFloat32:
      return Launch<Float32Codec>(stored, varied, count, words, stream);
    case ElementType::kFloat16:
      return Launch<Float16Codec>(stored, varied, count, words, stream);
    case ElementType::kBFloat16:
      return Launch<BFloat16Codec>(stored, varied, count, words, stream);
    case ElementType::kFloat8E4M3FN:
      return Launch<Float8E4M3FNCodec>(stored, varied, count, words, stream);
    case ElementType::kFloat8E5M2:
      return Launch<Float8E5M2Codec>(stored, varied, count, words, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace assay::measure
