#include "worker/runner/tvm_ffi_solution.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "worker/runner/device_heap.h"
#include "worker/runner/native_library.h"
#include "worker/runner/returned_output.h"

namespace assay {
namespace {

TVMFFIAny TensorArgument(const BoundTensor& bound) {
  TVMFFIAny any = {};
  any.type_index = kTVMFFIDLTensorPtr;
  any.v_ptr = const_cast<DLTensor*>(&bound.tensor);
  return any;
}

TVMFFIAny Argument(const BoundValue& value) {
  if (value.tensor != nullptr) return TensorArgument(*value.tensor);
  TVMFFIAny any = {};
  switch (value.scalar.value_case()) {
    case worker::Value::kFloatValue:
      any.type_index = kTVMFFIFloat;
      any.v_float64 = value.scalar.float_value();
      break;
    case worker::Value::kBoolValue:
      any.type_index = kTVMFFIBool;
      any.v_int64 = value.scalar.bool_value() ? 1 : 0;
      break;
    default:
      any.type_index = kTVMFFIInt;
      any.v_int64 = value.scalar.int_value();
  }
  return any;
}

bool IsSequence(const TVMFFIAny& value) {
  return value.type_index == kTVMFFIArray || value.type_index == kTVMFFIList;
}

absl::string_view KindOf(const v1::TensorSpec& spec) {
  if (!spec.is_scalar()) return "tensor";
  switch (spec.dtype()) {
    case v1::DTYPE_BOOL:
      return "bool";
    case v1::DTYPE_INT64:
    case v1::DTYPE_INT32:
    case v1::DTYPE_INT16:
    case v1::DTYPE_INT8:
    case v1::DTYPE_UINT8:
      return "int";
    default:
      return "float";
  }
}

}  // namespace

MaybeFailed TvmFfiSolution::Load(const worker::Load& load, UniqueFd content) {
  const absl::StatusOr<NativeLibrary> library =
      NativeLibrary::Load(content.get());
  if (!library.ok()) {
    return MakeFailed(worker::Failed::LOAD, library.status().message());
  }
  load_ = load;
  api_ = TvmFfiApi(*library);
  const std::string symbol = absl::StrCat("__tvm_ffi_", load.symbol());
  entry_ = library->FindFunction<Entry>(symbol.c_str());
  if (entry_ != nullptr) return std::nullopt;
  return MakeFailed(worker::Failed::LOAD,
                    absl::StrCat("the library exports no function \"", symbol,
                                 "\"; export the entry point with "
                                 "TVM_FFI_DLL_EXPORT_TYPED_FUNC(",
                                 load.symbol(), ", function)"));
}

MaybeFailed TvmFfiSolution::Bind(const BoundMemory& memory) {
  memory_ = &memory;
  arguments_.clear();
  for (const std::vector<BoundValue>& draw : memory.draws()) {
    std::vector<TVMFFIAny> inputs;
    inputs.reserve(draw.size());
    for (const BoundValue& value : draw) inputs.push_back(Argument(value));
    for (const Slot& slot : memory.slots()) {
      std::vector<TVMFFIAny>& arguments = arguments_.emplace_back(inputs);
      if (!load_.destination_passing()) continue;
      for (const auto& out : slot) arguments.push_back(TensorArgument(*out));
    }
  }
  // Nothing is called for now: others may want the memory.
  if (memory.draws().empty()) DeviceHeap::OfProcess().Release();
  return std::nullopt;
}

void TvmFfiSolution::Call(size_t draw, size_t slot) {
  const std::vector<TVMFFIAny>& arguments =
      arguments_[draw * memory_->slots().size() + slot];
  result_ = entry_(nullptr, arguments.data(),
                   static_cast<int32_t>(arguments.size()), &returned_);
}

MaybeFailed TvmFfiSolution::Finish(size_t draw, size_t slot) {
  if (result_ != 0) {
    std::string text = api_.TakeError();
    if (absl::StrContains(text, "TypeError: ")) {
      absl::StrAppend(&text, "\nthe entry point \"", load_.symbol(),
                      "\" is called with (", DescribeArguments(), ")");
    }
    return MakeFailed(worker::Failed::RAISED, text);
  }
  MaybeFailed failed;
  if (!load_.destination_passing()) {
    failed = CopyReturned(memory_->slots()[slot]);
  }
  api_.Release(returned_);
  return failed;
}

MaybeFailed TvmFfiSolution::CopyReturned(const Slot& slot) {
  if (!IsSequence(returned_) && slot.size() == 1) {
    return CopyOne(returned_, 0, slot);
  }
  if (!IsSequence(returned_)) {
    return MakeFailed(worker::Failed::WRONG_OUTPUTS,
                      absl::StrCat("the entry point must return an Array of ",
                                   slot.size(), " tensors"));
  }
  const auto* cell = reinterpret_cast<const TVMFFISeqCell*>(
      reinterpret_cast<const char*>(returned_.v_obj) + sizeof(TVMFFIObject));
  if (cell->size != static_cast<int64_t>(slot.size())) {
    return MakeFailed(
        worker::Failed::WRONG_OUTPUTS,
        absl::StrCat("the entry point must return ", slot.size(),
                     " outputs, but ", cell->size, " were returned"));
  }
  const auto* values = static_cast<const TVMFFIAny*>(cell->data);
  for (size_t i = 0; i < slot.size(); ++i) {
    if (MaybeFailed failed = CopyOne(values[i], static_cast<int>(i), slot)) {
      return failed;
    }
  }
  return std::nullopt;
}

MaybeFailed TvmFfiSolution::CopyOne(const TVMFFIAny& value, int index,
                                    const Slot& slot) {
  const std::string& name = load_.outputs(index).name();
  const BoundTensor& want = *slot[index];
  switch (value.type_index) {
    case kTVMFFITensor:
      return CopyReturnedTensor(*TVMFFITensorGetDLTensorPtr(value.v_obj), name,
                                want);
    case kTVMFFIInt:
      return CopyReturnedInt(value.v_int64, name, want);
    case kTVMFFIFloat:
      return CopyReturnedFloat(value.v_float64, name, want);
    case kTVMFFIBool:
      return CopyReturnedBool(value.v_int64 != 0, name, want);
    case kTVMFFINone:
      return MakeFailed(
          worker::Failed::WRONG_OUTPUTS,
          absl::StrCat("output \"", name,
                       "\" was not returned; a function that fills its "
                       "arguments needs \"destination_passing_style\": true"));
    default:
      return MakeFailed(worker::Failed::WRONG_OUTPUTS,
                        absl::StrCat("output \"", name,
                                     "\" must be a tensor, but a value of type "
                                     "index ",
                                     value.type_index, " was returned"));
  }
}

std::string TvmFfiSolution::DescribeArguments() const {
  std::string text;
  const auto append = [&text](const v1::TensorSpec& spec,
                              absl::string_view kind) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", spec.name(), ": ", kind);
  };
  for (const v1::TensorSpec& spec : load_.inputs()) append(spec, KindOf(spec));
  if (!load_.destination_passing()) return text;
  for (const v1::TensorSpec& spec : load_.outputs()) append(spec, "tensor");
  return text;
}

}  // namespace assay
