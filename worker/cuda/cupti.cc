#include "worker/cuda/cupti.h"

#include <dlfcn.h>

#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// Thousands of records. CUPTI asks for another when it is full.
constexpr size_t kBufferBytes = size_t{1} << 20;

constexpr CUpti_ActivityKind kKinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
    CUPTI_ACTIVITY_KIND_MEMCPY,
    CUPTI_ACTIVITY_KIND_MEMCPY2,
    CUPTI_ACTIVITY_KIND_MEMSET,
};

// The versions of the library whose records begin alike: with what
// ReadActivities reads.
constexpr const char* kLoadedNames[] = {"libcupti.so.13", "libcupti.so.12"};

static_assert(offsetof(CUpti_ActivityKernel10, start) == 16);
static_assert(offsetof(CUpti_ActivityKernel10, end) == 24);
static_assert(offsetof(CUpti_ActivityKernel10, contextId) == 44);
static_assert(offsetof(CUpti_ActivityKernel10, streamId) == 48);
static_assert(offsetof(CUpti_ActivityMemcpy6, start) == 16);
static_assert(offsetof(CUpti_ActivityMemcpy6, end) == 24);
static_assert(offsetof(CUpti_ActivityMemcpy6, contextId) == 36);
static_assert(offsetof(CUpti_ActivityMemcpy6, streamId) == 40);
static_assert(offsetof(CUpti_ActivityMemcpyPtoP4, start) == 16);
static_assert(offsetof(CUpti_ActivityMemcpyPtoP4, end) == 24);
static_assert(offsetof(CUpti_ActivityMemcpyPtoP4, contextId) == 36);
static_assert(offsetof(CUpti_ActivityMemcpyPtoP4, streamId) == 40);
static_assert(offsetof(CUpti_ActivityMemset4, start) == 16);
static_assert(offsetof(CUpti_ActivityMemset4, end) == 24);
static_assert(offsetof(CUpti_ActivityMemset4, contextId) == 36);
static_assert(offsetof(CUpti_ActivityMemset4, streamId) == 40);

template <typename Record>
DeviceActivity ToActivity(const CUpti_Activity* record) {
  const auto* typed = reinterpret_cast<const Record*>(record);
  return {static_cast<int64_t>(typed->start),
          static_cast<int64_t>(typed->end),
          {typed->contextId, typed->streamId}};
}

absl::Status NotUsable(const std::string& path, absl::string_view why) {
  return absl::FailedPreconditionError(
      absl::StrCat("CUPTI cannot be used (\"", path, "\"): ", why));
}

void* FindLoaded() {
  for (const char* name : kLoadedNames) {
    void* library = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    if (library != nullptr) return library;
  }
  return nullptr;
}

}  // namespace

Cupti* Cupti::recorder_ = nullptr;

std::vector<DeviceActivity> ReadActivities(CuptiNextRecord next_record,
                                           uint8_t* buffer, size_t bytes) {
  std::vector<DeviceActivity> activities;
  CUpti_Activity* record = nullptr;
  while (next_record(buffer, bytes, &record) == CUPTI_SUCCESS) {
    switch (record->kind) {
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        activities.push_back(ToActivity<CUpti_ActivityKernel10>(record));
        break;
      case CUPTI_ACTIVITY_KIND_MEMCPY:
        activities.push_back(ToActivity<CUpti_ActivityMemcpy6>(record));
        break;
      case CUPTI_ACTIVITY_KIND_MEMCPY2:
        activities.push_back(ToActivity<CUpti_ActivityMemcpyPtoP4>(record));
        break;
      case CUPTI_ACTIVITY_KIND_MEMSET:
        activities.push_back(ToActivity<CUpti_ActivityMemset4>(record));
        break;
      default:
        break;
    }
  }
  return activities;
}

absl::StatusOr<Cupti*> Cupti::Start(const std::string& path) {
  static const auto* const started =
      new absl::StatusOr<Cupti*>(StartOnce(path));
  return *started;
}

absl::StatusOr<Cupti*> Cupti::StartOnce(const std::string& path) {
  void* library = FindLoaded();
  if (library == nullptr) library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return NotUsable(path, dlerror());
  recorder_ = new Cupti();
  absl::Status status = recorder_->FindFunctions(library);
  if (status.ok()) status = recorder_->Enable();
  if (!status.ok()) return NotUsable(path, status.message());
  return recorder_;
}

absl::Status Cupti::FindFunctions(void* library) {
  const char* missing = nullptr;
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        dlsym(library, name));
    if (function == nullptr) missing = name;
  };
  find("cuptiActivityEnable", functions_.enable);
  find("cuptiActivityFlushAll", functions_.flush_all);
  find("cuptiActivityGetNextRecord", functions_.next_record);
  find("cuptiActivityGetNumDroppedRecords", functions_.dropped);
  find("cuptiActivityRegisterCallbacks", functions_.register_callbacks);
  find("cuptiGetContextId", functions_.context_id);
  find("cuptiGetResultString", functions_.result_string);
  find("cuptiGetStreamIdEx", functions_.stream_id);
  if (missing == nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the library has no function \"", missing,
                   "\"; install that of CUDA 12.8 or later"));
}

absl::Status Cupti::Enable() {
  ASSAY_RETURN_IF_ERROR(
      Check(functions_.register_callbacks(&RequestBuffer, &CompleteBuffer),
            "registering for records"));
  for (const CUpti_ActivityKind kind : kKinds) {
    ASSAY_RETURN_IF_ERROR(
        Check(functions_.enable(kind), "having the GPU's work recorded"));
  }
  return absl::OkStatus();
}

absl::Status Cupti::Check(CUptiResult result, const char* what) const {
  if (result == CUPTI_SUCCESS) return absl::OkStatus();
  const char* text = nullptr;
  functions_.result_string(result, &text);
  return absl::InternalError(absl::StrCat(
      what, ": ",
      text != nullptr ? text : absl::StrCat("CUPTI error ", result)));
}

absl::StatusOr<CuptiStream> Cupti::Identify(CUcontext context,
                                            CUstream stream) const {
  CuptiStream found;
  ASSAY_RETURN_IF_ERROR(Check(functions_.context_id(context, &found.context_id),
                              "reading the number of a context"));
  ASSAY_RETURN_IF_ERROR(
      Check(functions_.stream_id(/*context=*/nullptr, stream,
                                 /*perThreadStream=*/0, &found.stream_id),
            "reading the number of a stream"));
  return found;
}

absl::StatusOr<std::vector<DeviceActivity>> Cupti::Collect() {
  ASSAY_RETURN_IF_ERROR(
      Check(functions_.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
            "collecting the GPU's records"));
  size_t dropped = 0;
  ASSAY_RETURN_IF_ERROR(Check(functions_.dropped(nullptr, 0, &dropped),
                              "counting lost records of the GPU"));
  std::vector<DeviceActivity> activities;
  absl::MutexLock lock(&mutex_);
  activities.swap(activities_);
  if (dropped > 0) {
    return absl::DataLossError(
        absl::StrCat("CUPTI lost ", dropped, " records of the GPU's work"));
  }
  return activities;
}

void Cupti::RequestBuffer(uint8_t** buffer, size_t* bytes,
                          size_t* max_records) {
  Buffer given;
  {
    absl::MutexLock lock(&recorder_->mutex_);
    if (!recorder_->free_buffers_.empty()) {
      given = std::move(recorder_->free_buffers_.back());
      recorder_->free_buffers_.pop_back();
    }
  }
  if (given == nullptr) given = std::make_unique<uint8_t[]>(kBufferBytes);
  *buffer = given.release();
  *bytes = kBufferBytes;
  // As many as there is room for.
  *max_records = 0;
}

void Cupti::CompleteBuffer(CUcontext context, uint32_t stream_id,
                           uint8_t* buffer, size_t bytes, size_t valid_bytes) {
  std::vector<DeviceActivity> read =
      ReadActivities(recorder_->functions_.next_record, buffer, valid_bytes);
  absl::MutexLock lock(&recorder_->mutex_);
  recorder_->activities_.insert(recorder_->activities_.end(), read.begin(),
                                read.end());
  recorder_->free_buffers_.emplace_back(buffer);
}

}  // namespace assay
