// GPU memory for tests and benchmarks of the CUDA twins.
//
//   DeviceBuffer data(bytes);
//   data.Upload(host);
//   CheckCuda(ChecksumOnDevice(data.get(), bytes, key, ...), "checksum");
//
// What fails ends the program: there is no use in going on.

#ifndef ASSAY_KERNELS_MEASURE_CUDA_TESTING_H_
#define ASSAY_KERNELS_MEASURE_CUDA_TESTING_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace assay::measure {

inline void CheckCuda(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// Owns device memory, aligned to 256 bytes.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t bytes) : bytes_(bytes) {
    // Of 0 bytes there is no memory, and no address to pass on.
    CheckCuda(cudaMalloc(&data_, bytes > 0 ? bytes : 1), "cudaMalloc");
  }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  unsigned char* get() const { return static_cast<unsigned char*>(data_); }
  size_t bytes() const { return bytes_; }

  void Fill(int byte) const {
    CheckCuda(cudaMemset(data_, byte, bytes_), "cudaMemset");
  }

  void Upload(const void* from, size_t bytes, size_t offset = 0) const {
    CheckCuda(cudaMemcpy(get() + offset, from, bytes, cudaMemcpyHostToDevice),
              "upload");
  }

  std::vector<unsigned char> Download(size_t offset, size_t bytes) const {
    std::vector<unsigned char> data(bytes);
    // Waits for, and fails with, all that was queued before.
    CheckCuda(cudaDeviceSynchronize(), "running");
    CheckCuda(
        cudaMemcpy(data.data(), get() + offset, bytes, cudaMemcpyDeviceToHost),
        "download");
    return data;
  }

  std::vector<unsigned char> Download() const { return Download(0, bytes_); }

 private:
  void* data_ = nullptr;
  size_t bytes_;
};

// An array in device memory.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : buffer_(count * sizeof(T)) {}
  explicit DeviceArray(const std::vector<T>& values)
      : DeviceArray(values.size()) {
    buffer_.Upload(values.data(), values.size() * sizeof(T));
  }

  T* get() const { return reinterpret_cast<T*>(buffer_.get()); }

  std::vector<T> Download() const {
    std::vector<T> values(buffer_.bytes() / sizeof(T));
    CheckCuda(cudaDeviceSynchronize(), "running");
    CheckCuda(cudaMemcpy(values.data(), buffer_.get(), buffer_.bytes(),
                         cudaMemcpyDeviceToHost),
              "download");
    return values;
  }

 private:
  DeviceBuffer buffer_;
};

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_TESTING_H_
