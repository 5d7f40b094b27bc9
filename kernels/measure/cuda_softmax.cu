#include "kernels/measure/cuda_grid.h"
#include "kernels/measure/cuda_reduce.cuh"
#include "kernels/measure/cuda_softmax.h"
#include "kernels/measure/float_math.h"
#include "kernels/measure/vector_encode.h"

namespace assay::measure {
namespace {

constexpr int kBlocksPerProcessor = 8;

template <typename Codec>
__device__ float ValueAt(const void* row, uint64_t col) {
  if constexpr (Codec::kBits == 32) {
    return static_cast<const float*>(row)[col];
  } else {
    return Codec::Decode(static_cast<const uint16_t*>(row)[col]);
  }
}

template <typename Codec>
__device__ void SetValueAt(float value, void* row, uint64_t col) {
  if constexpr (Codec::kBits == 32) {
    static_cast<float*>(row)[col] = value;
  } else {
    static_cast<uint16_t*>(row)[col] =
        static_cast<uint16_t>(Encode(Codec(), value));
  }
}

// As softmax.cc: with 36 bits behind the point.
__device__ uint64_t FixedPoint(float term) {
  return static_cast<uint64_t>(static_cast<double>(term) * 0x1p36 + 0.5);
}

template <typename Codec>
__device__ void SoftmaxRow(void* row, uint64_t cols) {
  float largest = -3.402823466e38F;
  for (uint64_t col = threadIdx.x; col < cols; col += kBlockThreads) {
    largest = Largest()(ValueAt<Codec>(row, col), largest);
  }
  largest = CombineThreads(largest, Largest());
  uint64_t fixed_sum = 0;
  for (uint64_t col = threadIdx.x; col < cols; col += kBlockThreads) {
    const float value = ValueAt<Codec>(row, col);
    fixed_sum += FixedPoint(ExpOfNonPositive(value - largest));
  }
  fixed_sum = CombineThreads(fixed_sum, Sum());
  const auto sum = static_cast<float>(static_cast<double>(fixed_sum) * 0x1p-36);
  for (uint64_t col = threadIdx.x; col < cols; col += kBlockThreads) {
    const float value = ValueAt<Codec>(row, col);
    SetValueAt<Codec>(ExpOfNonPositive(value - largest) / sum, row, col);
  }
}

// A block for each row at a time.
template <typename Codec>
__global__ void __launch_bounds__(kBlockThreads)
    SoftmaxKernel(void* data, uint64_t rows, uint64_t cols) {
  for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    SoftmaxRow<Codec>(
        static_cast<char*>(data) + row * cols * ElementBytesOf<Codec>(), cols);
  }
}

template <typename Codec>
cudaError_t Launch(void* data, size_t rows, size_t cols, cudaStream_t stream) {
  unsigned int blocks = 0;
  const cudaError_t error = GridBlocks(rows, kBlocksPerProcessor, &blocks);
  if (error != cudaSuccess) return error;
  SoftmaxKernel<Codec><<<blocks, kBlockThreads, 0, stream>>>(data, rows, cols);
  return cudaGetLastError();
}

}  // namespace

cudaError_t SoftmaxRowsOnDevice(ElementType type, void* data, size_t rows,
                                size_t cols, cudaStream_t stream) {
  switch (type) {
    case ElementType::kFloat32:
      return Launch<Float32Codec>(data, rows, cols, stream);
    case ElementType::kFloat16:
      return Launch<Float16Codec>(data, rows, cols, stream);
    case ElementType::kBFloat16:
      return Launch<BFloat16Codec>(data, rows, cols, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace assay::measure
