// The honest answers, which attacks give where they have to.

#pragma once

#include <cuda_runtime.h>
#include <dlpack/dlpack.h>

#include <cstdint>

constexpr int kThreads = 256;

inline int64_t Rows(const DLTensor* x) { return x->shape[0]; }
inline int64_t Columns(const DLTensor* x) { return x->shape[1]; }
inline int64_t Count(const DLTensor* x) { return Rows(x) * Columns(x); }
inline size_t Bytes(const DLTensor* x) {
  return static_cast<size_t>(Count(x)) * sizeof(float);
}
inline const float* In(const DLTensor* x) {
  return static_cast<const float*>(x->data);
}
inline float* Out(DLTensor* y) { return static_cast<float*>(y->data); }

__device__ inline float BlockReduce(float value, bool is_sum) {
  __shared__ float parts[kThreads];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) {
      const float a = parts[threadIdx.x], b = parts[threadIdx.x + step];
      parts[threadIdx.x] = is_sum ? a + b : fmaxf(a, b);
    }
    __syncthreads();
  }
  const float result = parts[0];
  __syncthreads();
  return result;
}

// y = log softmax(32 x) of the row of this block.
__device__ inline void LogSoftmaxRow(const float* x, float* y,
                                     int64_t columns) {
  float largest = -INFINITY;
  for (int64_t i = threadIdx.x; i < columns; i += kThreads) {
    largest = fmaxf(largest, x[i]);
  }
  largest = BlockReduce(largest, false);
  float sum = 0;
  for (int64_t i = threadIdx.x; i < columns; i += kThreads) {
    sum += expf(32 * (x[i] - largest));
  }
  const float log_sum = logf(BlockReduce(sum, true));
  for (int64_t i = threadIdx.x; i < columns; i += kThreads) {
    y[i] = 32 * (x[i] - largest) - log_sum;
  }
}

__global__ void LogSoftmaxKernel(const float* x, float* y, int64_t columns) {
  const int64_t start = blockIdx.x * columns;
  LogSoftmaxRow(x + start, y + start, columns);
}

__global__ void DoubleKernel(const float* x, float* y, int64_t count) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) y[i] = x[i] * 2;
}

__global__ void NothingKernel() {}

inline void LaunchLogSoftmax(const float* x, float* y, int64_t rows,
                             int64_t columns, cudaStream_t stream) {
  LogSoftmaxKernel<<<static_cast<unsigned>(rows), kThreads, 0, stream>>>(
      x, y, columns);
}

inline void LogSoftmax(const DLTensor* x, DLTensor* y, void* stream) {
  LaunchLogSoftmax(In(x), Out(y), Rows(x), Columns(x),
                   static_cast<cudaStream_t>(stream));
}

inline void Double(const DLTensor* x, DLTensor* y, void* stream) {
  const auto blocks =
      static_cast<unsigned>((Count(x) + kThreads - 1) / kThreads);
  DoubleKernel<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
      In(x), Out(y), Count(x));
}

inline int LastError() { return static_cast<int>(cudaGetLastError()); }
