#include "worker/runner/callback_solution.h"

#include <utility>
#include <vector>

#include "base/fd.h"
#include "worker/runner/returned_output.h"

namespace assay {
namespace {

std::vector<AssayParameter> ToParameters(
    const google::protobuf::RepeatedPtrField<v1::TensorSpec>& specs) {
  std::vector<AssayParameter> parameters;
  for (const v1::TensorSpec& spec : specs) {
    parameters.push_back({spec.name().c_str(),
                          v1::DType_Name(spec.dtype()).c_str(),
                          spec.is_scalar() ? 1 : 0});
  }
  return parameters;
}

AssayValue ToValue(const BoundTensor& bound) {
  AssayValue value = {};
  value.kind = kAssayTensor;
  value.tensor = {bound.tensor.data, bound.bytes,
                  v1::DType_Name(bound.dtype).c_str(), bound.shape.data(),
                  bound.shape.size()};
  return value;
}

AssayValue ToValue(const BoundValue& bound) {
  if (bound.tensor != nullptr) return ToValue(*bound.tensor);
  AssayValue value = {};
  switch (bound.scalar.value_case()) {
    case worker::Value::kFloatValue:
      value.kind = kAssayFloat;
      value.float_value = bound.scalar.float_value();
      break;
    case worker::Value::kBoolValue:
      value.kind = kAssayBool;
      value.int_value = bound.scalar.bool_value() ? 1 : 0;
      break;
    default:
      value.kind = kAssayInt;
      value.int_value = bound.scalar.int_value();
  }
  return value;
}

// Rows of values in the form of the C interface; owns the arrays.
class ValueRows {
 public:
  void Add(std::vector<AssayValue> row) { rows_.push_back(std::move(row)); }

  std::vector<AssayValues> View() const {
    std::vector<AssayValues> views;
    for (const auto& row : rows_) views.push_back({row.data(), row.size()});
    return views;
  }

 private:
  std::vector<std::vector<AssayValue>> rows_;
};

}  // namespace

MaybeFailed CallbackSolution::Load(const worker::Load& load, UniqueFd content) {
  returns_outputs_ = !load.destination_passing();
  returned_.resize(load.outputs_size());
  if (load.kind() == worker::Load::TORCH_EXTENSION) {
    return LoadFrom(load, worker::SourceBundle(), content.get());
  }
  const absl::StatusOr<Mapping> text =
      Mapping::Map(content.get(), load.content_bytes(), /*writable=*/false);
  if (!text.ok()) return InternalUnlessOk(text.status());
  worker::SourceBundle bundle;
  if (!bundle.ParseFromArray(text->data(), static_cast<int>(text->size()))) {
    return MakeFailed(worker::Failed::INTERNAL, "the sources are malformed");
  }
  return LoadFrom(load, bundle, /*module_fd=*/-1);
}

MaybeFailed CallbackSolution::LoadFrom(const worker::Load& load,
                                       const worker::SourceBundle& bundle,
                                       int module_fd) {
  std::vector<AssayFile> files;
  for (const v1::SourceFile& file : bundle.files()) {
    files.push_back(
        {file.path().c_str(), file.content().data(), file.content().size()});
  }
  const std::vector<AssayParameter> inputs = ToParameters(load.inputs());
  const std::vector<AssayParameter> outputs = ToParameters(load.outputs());
  const AssayLoad given = {module_fd,
                           load.entry_file().c_str(),
                           load.symbol().c_str(),
                           load.destination_passing() ? 1 : 0,
                           inputs.data(),
                           inputs.size(),
                           outputs.data(),
                           outputs.size(),
                           files.data(),
                           files.size()};
  AssayFailure failure;
  callbacks_.load(&given, &failure);
  return failure.failed;
}

MaybeFailed CallbackSolution::Bind(const BoundMemory& memory) {
  memory_ = &memory;
  ValueRows draws;
  for (const std::vector<BoundValue>& draw : memory.draws()) {
    std::vector<AssayValue> row;
    row.reserve(draw.size());
    for (const BoundValue& value : draw) row.push_back(ToValue(value));
    draws.Add(std::move(row));
  }
  ValueRows slots;
  for (const auto& slot : memory.slots()) {
    std::vector<AssayValue> row;
    row.reserve(slot.size());
    for (const auto& output : slot) row.push_back(ToValue(*output));
    slots.Add(std::move(row));
  }
  const std::vector<AssayValues> draw_views = draws.View();
  const std::vector<AssayValues> slot_views = slots.View();
  const AssayBind given = {draw_views.data(), draw_views.size(),
                           slot_views.data(), slot_views.size()};
  AssayFailure failure;
  callbacks_.bind(&given, &failure);
  return failure.failed;
}

void CallbackSolution::Call(size_t draw, size_t slot) {
  succeeded_ =
      callbacks_.call(static_cast<int64_t>(draw), static_cast<int64_t>(slot),
                      returned_.data()) != 0;
}

MaybeFailed CallbackSolution::Finish(size_t /*draw*/, size_t slot) {
  if (!succeeded_) {
    AssayFailure failure;
    callbacks_.explain(&failure);
    if (failure.failed.has_value()) return failure.failed;
    return MakeFailed(worker::Failed::RAISED, "the call failed");
  }
  if (!returns_outputs_) return std::nullopt;
  const auto& places = memory_->slots()[slot];
  for (size_t i = 0; i < places.size(); ++i) {
    if (MaybeFailed failed = CopyReturnedBytes(returned_[i], *places[i])) {
      return failed;
    }
  }
  return std::nullopt;
}

}  // namespace assay
