// CUPTI's record of what the GPU did and when, by the GPU's own clock.
//
//   ASSAY_ASSIGN_OR_RETURN(Cupti* cupti, Cupti::Start("/…/libcupti.so"));
//   ... kernels, copies, memsets; then cuCtxSynchronize ...
//   ASSAY_ASSIGN_OR_RETURN(std::vector<DeviceActivity> activities,
//                          cupti->Collect());

#ifndef ASSAY_WORKER_CUDA_CUPTI_H_
#define ASSAY_WORKER_CUDA_CUPTI_H_

#include <cuda.h>
#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"

namespace assay {

// A stream in CUPTI's numbers: each context counts its own streams.
struct CuptiStream {
  uint32_t context_id = 0;
  uint32_t stream_id = 0;

  friend bool operator==(CuptiStream a, CuptiStream b) {
    return a.context_id == b.context_id && a.stream_id == b.stream_id;
  }
};

// A kernel, copy or memset. What has not ended has an `end_ns` of 0, as has
// what CUPTI could take no time of.
struct DeviceActivity {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  CuptiStream stream;
};

// The records in one buffer that CUPTI filled; others than kernels, copies and
// memsets are left out.
using CuptiNextRecord = decltype(&::cuptiActivityGetNextRecord);
std::vector<DeviceActivity> ReadActivities(CuptiNextRecord next_record,
                                           uint8_t* buffer, size_t bytes);

// One for a process, as CUPTI is. Thread-safe.
class Cupti {
 public:
  // Loads the library, and has it record from now on; once for a process, later
  // calls give the same. Prefers a CUPTI that this process has loaded already,
  // as torch does: two do not get along. FAILED_PRECONDITION when it cannot be
  // loaded or does not work here.
  static absl::StatusOr<Cupti*> Start(const std::string& path);

  // What DeviceActivity::stream is for `stream` of the context, which is the
  // calling thread's.
  absl::StatusOr<CuptiStream> Identify(CUcontext context,
                                       CUstream stream) const;

  // What ran since the last call, in no order. The caller has synchronized the
  // context; what other contexts do may not have ended. DATA_LOSS when CUPTI
  // lost some.
  absl::StatusOr<std::vector<DeviceActivity>> Collect();

 private:
  struct Functions {
    decltype(&::cuptiActivityEnable) enable = nullptr;
    decltype(&::cuptiActivityFlushAll) flush_all = nullptr;
    CuptiNextRecord next_record = nullptr;
    decltype(&::cuptiActivityGetNumDroppedRecords) dropped = nullptr;
    decltype(&::cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
    decltype(&::cuptiGetContextId) context_id = nullptr;
    decltype(&::cuptiGetResultString) result_string = nullptr;
    decltype(&::cuptiGetStreamIdEx) stream_id = nullptr;
  };
  using Buffer = std::unique_ptr<uint8_t[]>;

  Cupti() = default;

  static absl::StatusOr<Cupti*> StartOnce(const std::string& path);
  absl::Status FindFunctions(void* library);
  absl::Status Enable();
  absl::Status Check(CUptiResult result, const char* what) const;

  // CUPTI's callbacks; they carry no pointer of ours.
  static void RequestBuffer(uint8_t** buffer, size_t* bytes,
                            size_t* max_records);
  static void CompleteBuffer(CUcontext context, uint32_t stream_id,
                             uint8_t* buffer, size_t bytes, size_t valid_bytes);

  // The one that records; never freed.
  static Cupti* recorder_;

  Functions functions_;
  absl::Mutex mutex_;
  std::vector<DeviceActivity> activities_ ABSL_GUARDED_BY(mutex_);
  // Buffers that CUPTI has given back.
  std::vector<Buffer> free_buffers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_WORKER_CUDA_CUPTI_H_
