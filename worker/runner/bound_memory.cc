#include "worker/runner/bound_memory.h"

#include <sys/mman.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "worker/cuda/device_pointer.h"

namespace assay {
namespace {

int64_t ElementBytes(DLDataType type) { return type.bits * type.lanes / 8; }

// Elements of `tensor` in bytes; -1 when a size is negative or all are too many
// for an int64.
int64_t CountBytes(const std::vector<int64_t>& shape, int64_t element_bytes) {
  int64_t bytes = element_bytes;
  for (const int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes)) return -1;
  }
  return bytes;
}

std::vector<int64_t> ContiguousStrides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

absl::string_view CodeName(uint8_t code) {
  switch (code) {
    case kDLInt:
      return "int";
    case kDLUInt:
      return "uint";
    case kDLFloat:
      return "float";
    case kDLBfloat:
      return "bfloat";
    case kDLComplex:
      return "complex";
    default:
      return "";
  }
}

std::string TypeName(DLDataType type) {
  const std::string lanes =
      type.lanes == 1 ? "" : absl::StrCat("x", type.lanes);
  switch (type.code) {
    case kDLBool:
      return absl::StrCat("bool", lanes);
    case kDLFloat8_e4m3fn:
      return absl::StrCat("float8_e4m3fn", lanes);
    case kDLFloat8_e5m2:
      return absl::StrCat("float8_e5m2", lanes);
    case kDLFloat4_e2m1fn:
      return absl::StrCat("float4_e2m1fn", lanes.empty() ? "" : "_", lanes);
    default:
      break;
  }
  const absl::string_view name = CodeName(type.code);
  if (name.empty()) return absl::StrCat("dtype code ", int{type.code}, lanes);
  return absl::StrCat(name, int{type.bits}, lanes);
}

}  // namespace

DLDataType ToDLDataType(v1::DType dtype) {
  switch (dtype) {
    case v1::DTYPE_FLOAT64:
      return {kDLFloat, 64, 1};
    case v1::DTYPE_FLOAT32:
      return {kDLFloat, 32, 1};
    case v1::DTYPE_FLOAT16:
      return {kDLFloat, 16, 1};
    case v1::DTYPE_BFLOAT16:
      return {kDLBfloat, 16, 1};
    case v1::DTYPE_FLOAT8_E4M3FN:
      return {kDLFloat8_e4m3fn, 8, 1};
    case v1::DTYPE_FLOAT8_E5M2:
      return {kDLFloat8_e5m2, 8, 1};
    case v1::DTYPE_FLOAT4_E2M1FN_X2:
      return {kDLFloat4_e2m1fn, 4, 2};
    case v1::DTYPE_INT64:
      return {kDLInt, 64, 1};
    case v1::DTYPE_INT32:
      return {kDLInt, 32, 1};
    case v1::DTYPE_INT16:
      return {kDLInt, 16, 1};
    case v1::DTYPE_INT8:
      return {kDLInt, 8, 1};
    case v1::DTYPE_UINT8:
      return {kDLUInt, 8, 1};
    case v1::DTYPE_BOOL:
      return {kDLBool, 8, 1};
    default:
      return {kDLOpaqueHandle, 0, 0};
  }
}

std::string DescribeTensor(const DLTensor& tensor) {
  std::string text = absl::StrCat(TypeName(tensor.dtype), "[");
  for (int i = 0; i < tensor.ndim; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", tensor.shape[i]);
  }
  return absl::StrCat(text, "]");
}

BoundMemory::~BoundMemory() {
  // What it answers is told by whoever asks the GPU next.
  if (gpu_ != nullptr) gpu_->driver().cuCtxSynchronize();
}

absl::StatusOr<BoundMemory::Arena> BoundMemory::MapArena(
    const worker::Bind::Arena& arena, int fd) const {
  Arena mapped;
  mapped.bytes = arena.size_bytes();
  if (gpu_ == nullptr) {
    ASSAY_ASSIGN_OR_RETURN(mapped.host,
                           Mapping::Map(fd, mapped.bytes, arena.writable()));
    mapped.data = mapped.host.data();
    // No call is to wait for pages, whichever place it is given. An older
    // kernel leaves them to the calls.
    madvise(mapped.data, mapped.host.size(),
            arena.writable() ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
  } else {
    ASSAY_ASSIGN_OR_RETURN(
        mapped.device,
        DeviceMemory::Import(*gpu_, fd, mapped.bytes, arena.writable()));
    mapped.data = static_cast<char*>(ToPointer(mapped.device.address()));
  }
  return mapped;
}

absl::StatusOr<std::unique_ptr<BoundTensor>> BoundMemory::Resolve(
    const worker::TensorRef& ref) const {
  if (ref.arena() < 0 || ref.arena() >= static_cast<int>(arenas_.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no arena ", ref.arena()));
  }
  const Arena& arena = arenas_[ref.arena()];
  auto bound = std::make_unique<BoundTensor>();
  bound->dtype = ref.dtype();
  bound->shape.assign(ref.shape().begin(), ref.shape().end());
  DLTensor& tensor = bound->tensor;
  tensor.dtype = ToDLDataType(ref.dtype());
  bound->bytes = CountBytes(bound->shape, ElementBytes(tensor.dtype));
  if (tensor.dtype.bits == 0 || bound->bytes < 0 || ref.offset() < 0 ||
      ref.offset() > arena.bytes || bound->bytes > arena.bytes - ref.offset()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a tensor of shape [", absl::StrJoin(bound->shape, ", "),
                     "] at offset ", ref.offset(), " does not fit an arena of ",
                     arena.bytes, " bytes"));
  }
  bound->strides = ContiguousStrides(bound->shape);
  tensor.data = bound->bytes == 0 ? nullptr : arena.data + ref.offset();
  tensor.device = gpu_ == nullptr ? DLDevice{kDLCPU, 0}
                                  : DLDevice{kDLCUDA, gpu_->ordinal()};
  tensor.ndim = static_cast<int32_t>(bound->shape.size());
  tensor.shape = bound->shape.data();
  tensor.strides = bound->strides.data();
  return bound;
}

absl::StatusOr<std::unique_ptr<BoundMemory>> BoundMemory::Map(
    const worker::Bind& bind, const std::vector<UniqueFd>& fds,
    const CudaContext* gpu) {
  if (static_cast<size_t>(bind.arenas_size()) != fds.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        bind.arenas_size(), " arenas came with ", fds.size(), " descriptors"));
  }
  std::unique_ptr<BoundMemory> memory(new BoundMemory(gpu));
  for (int i = 0; i < bind.arenas_size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(Arena arena,
                           memory->MapArena(bind.arenas(i), fds[i].get()));
    memory->arenas_.push_back(std::move(arena));
  }
  for (const worker::InputSet& draw : bind.draws()) {
    std::vector<BoundValue>& values = memory->draws_.emplace_back();
    for (const worker::Value& value : draw.values()) {
      BoundValue& bound = values.emplace_back();
      bound.scalar = value;
      if (!value.has_tensor()) continue;
      ASSAY_ASSIGN_OR_RETURN(bound.tensor, memory->Resolve(value.tensor()));
    }
  }
  for (const worker::OutputSlot& slot : bind.slots()) {
    auto& outputs = memory->slots_.emplace_back();
    for (const worker::TensorRef& ref : slot.outputs()) {
      ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<BoundTensor> bound,
                             memory->Resolve(ref));
      outputs.push_back(std::move(bound));
    }
  }
  return memory;
}

}  // namespace assay
