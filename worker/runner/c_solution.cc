#include "worker/runner/c_solution.h"

#include <cstdint>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "worker/runner/native_library.h"

namespace assay {
namespace {

// Writes the scalar in the C type that stands for `dtype`.
template <typename T>
void Store(T value, unsigned char* bytes) {
  std::memcpy(bytes, &value, sizeof(value));
}

void StoreScalar(const worker::Value& value, v1::DType dtype,
                 unsigned char* bytes) {
  switch (dtype) {
    case v1::DTYPE_FLOAT64:
      return Store(value.float_value(), bytes);
    case v1::DTYPE_INT64:
      return Store(value.int_value(), bytes);
    case v1::DTYPE_INT32:
      return Store(static_cast<int32_t>(value.int_value()), bytes);
    case v1::DTYPE_INT16:
      return Store(static_cast<int16_t>(value.int_value()), bytes);
    case v1::DTYPE_INT8:
      return Store(static_cast<int8_t>(value.int_value()), bytes);
    case v1::DTYPE_UINT8:
      return Store(static_cast<uint8_t>(value.int_value()), bytes);
    case v1::DTYPE_BOOL:
      return Store(value.bool_value(), bytes);
    default:
      return Store(static_cast<float>(value.float_value()), bytes);
  }
}

}  // namespace

MaybeFailed CSolution::Load(const worker::Load& load, UniqueFd content) {
  if (!load.destination_passing()) {
    return MakeFailed(worker::Failed::LOAD,
                      "a solution with binding \"c\" gets its outputs as "
                      "arguments; set \"destination_passing_style\" to true");
  }
  const absl::StatusOr<NativeLibrary> library =
      NativeLibrary::Load(content.get());
  if (!library.ok()) {
    return MakeFailed(worker::Failed::LOAD, library.status().message());
  }
  load_ = load;
  entry_ = library->FindFunction<CEntry>(kCEntrySymbol);
  if (entry_ != nullptr) return std::nullopt;
  return MakeFailed(
      worker::Failed::LOAD,
      absl::StrCat("the library exports no function \"", kCEntrySymbol, "\""));
}

const void* CSolution::Argument(const BoundValue& value, v1::DType dtype) {
  if (value.tensor != nullptr) return &value.tensor->tensor;
  StoreScalar(value.scalar, dtype, scalars_.emplace_back().bytes);
  return scalars_.back().bytes;
}

MaybeFailed CSolution::Bind(const BoundMemory& memory) {
  arguments_.clear();
  scalars_.clear();
  slot_count_ = memory.slots().size();
  for (const std::vector<BoundValue>& draw : memory.draws()) {
    std::vector<const void*> inputs;
    for (size_t i = 0; i < draw.size(); ++i) {
      const v1::DType dtype = load_.inputs(static_cast<int>(i)).dtype();
      inputs.push_back(Argument(draw[i], dtype));
    }
    for (const auto& slot : memory.slots()) {
      std::vector<const void*>& arguments = arguments_.emplace_back(inputs);
      for (const auto& output : slot) arguments.push_back(&output->tensor);
    }
  }
  return std::nullopt;
}

void CSolution::Call(size_t draw, size_t slot) {
  error_[0] = '\0';
  result_ = entry_(arguments_[draw * slot_count_ + slot].data(),
                   /*stream=*/nullptr, error_.data(), error_.size());
}

MaybeFailed CSolution::Finish(size_t draw, size_t slot) {
  if (result_ == 0) return std::nullopt;
  if (result_ == kCEntryThrew) {
    const absl::string_view text(error_.data(),
                                 strnlen(error_.data(), error_.size()));
    return MakeFailed(worker::Failed::RAISED,
                      absl::StrCat("the entry point \"", load_.symbol(),
                                   "\" threw an exception: ", text));
  }
  return MakeFailed(worker::Failed::RAISED,
                    absl::StrCat("the entry point \"", load_.symbol(),
                                 "\" returned ", result_, "; 0 means success"));
}

}  // namespace assay
