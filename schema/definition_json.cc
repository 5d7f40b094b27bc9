#include <utility>

#include "absl/strings/str_cat.h"
#include "schema/dtype.h"
#include "schema/json_objects.h"
#include "schema/json_path.h"

namespace assay::json_internal {
namespace {

using google::protobuf::RepeatedPtrField;

v1::Axis ReadAxis(const std::string& name, const Json& value,
                  const std::string& path, Problems& problems) {
  JsonObject object(value, path, problems);
  v1::Axis axis;
  axis.set_name(name);
  const absl::optional<std::string> type = object.Word("type");
  if (type == "const") {
    axis.set_kind(v1::Axis::CONST);
    axis.set_value(object.Int("value"));
  } else if (type == "var") {
    axis.set_kind(v1::Axis::VAR);
    axis.set_parent(object.OptionalString("parent"));
  } else if (type.has_value()) {
    object.Complain("type", absl::StrCat("unknown type of axis ", Quoted(*type),
                                         ", use \"const\" or \"var\""));
  }
  axis.set_description(object.OptionalString("description"));
  axis.set_unknown_json(object.UnknownMembers());
  return axis;
}

v1::DType ReadDType(JsonObject& object) {
  const absl::optional<std::string> name = object.Word("dtype");
  if (!name.has_value()) return v1::DTYPE_UNSPECIFIED;
  const absl::optional<v1::DType> dtype = ParseDType(*name);
  if (!dtype.has_value()) {
    object.Complain("dtype", absl::StrCat("unknown dtype ", Quoted(*name),
                                          ", use one of: ", DTypeNames()));
  }
  return dtype.value_or(v1::DTYPE_UNSPECIFIED);
}

v1::TensorSpec ReadTensor(const std::string& name, const Json& value,
                          const std::string& path, Problems& problems) {
  JsonObject object(value, path, problems);
  v1::TensorSpec tensor;
  tensor.set_name(name);
  const Json* shape = object.Value("shape");
  tensor.set_is_scalar(shape != nullptr && shape->is_null());
  for (std::string& axis : object.OptionalStrings("shape")) {
    tensor.add_shape(std::move(axis));
  }
  tensor.set_dtype(ReadDType(object));
  tensor.set_description(object.OptionalString("description"));
  tensor.set_unknown_json(object.UnknownMembers());
  return tensor;
}

void ReadTensors(JsonObject& object, absl::string_view name,
                 RepeatedPtrField<v1::TensorSpec>& tensors) {
  object.ForEachMember(name, [&](const std::string& key, const Json& value,
                                 const std::string& path) {
    *tensors.Add() = ReadTensor(key, value, path, object.problems());
  });
}

Json ToJson(const v1::Axis& axis) {
  Json json = Json::object();
  if (axis.kind() == v1::Axis::CONST) {
    json["type"] = "const";
    json["value"] = axis.value();
  } else {
    json["type"] = "var";
    if (!axis.parent().empty()) json["parent"] = axis.parent();
  }
  if (!axis.description().empty()) json["description"] = axis.description();
  AppendUnknown(axis.unknown_json(), json);
  return json;
}

Json ToJson(const v1::TensorSpec& tensor) {
  Json json = Json::object();
  json["shape"] = nullptr;
  if (!tensor.is_scalar()) json["shape"] = tensor.shape();
  json["dtype"] = std::string(DTypeName(tensor.dtype()));
  if (!tensor.description().empty()) json["description"] = tensor.description();
  AppendUnknown(tensor.unknown_json(), json);
  return json;
}

template <typename T>
Json ByName(const RepeatedPtrField<T>& elements) {
  Json json = Json::object();
  for (const T& element : elements) json[element.name()] = ToJson(element);
  return json;
}

}  // namespace

v1::Definition ReadDefinition(const Json& value, Problems& problems) {
  JsonObject object(value, "$", problems);
  v1::Definition definition;
  definition.set_name(object.String("name"));
  // `type` is the older spelling.
  const bool is_old = !object.Has("op_type") && object.Has("type");
  definition.set_op_type(object.String(is_old ? "type" : "op_type"));
  object.ForEachMember("axes", [&](const std::string& key, const Json& axis,
                                   const std::string& path) {
    *definition.add_axes() = ReadAxis(key, axis, path, problems);
  });
  ReadTensors(object, "inputs", *definition.mutable_inputs());
  ReadTensors(object, "outputs", *definition.mutable_outputs());
  definition.set_reference(object.OptionalString("reference"));
  definition.set_description(object.OptionalString("description"));
  for (std::string& tag : object.OptionalStrings("tags")) {
    definition.add_tags(std::move(tag));
  }
  for (std::string& constraint : object.OptionalStrings("constraints")) {
    definition.add_constraints(std::move(constraint));
  }
  definition.set_unknown_json(object.UnknownMembers());
  return definition;
}

Json ToJson(const v1::Definition& definition) {
  Json json = Json::object();
  json["name"] = definition.name();
  json["op_type"] = definition.op_type();
  if (!definition.description().empty()) {
    json["description"] = definition.description();
  }
  if (!definition.tags().empty()) json["tags"] = definition.tags();
  json["axes"] = ByName(definition.axes());
  if (!definition.constraints().empty()) {
    json["constraints"] = definition.constraints();
  }
  json["inputs"] = ByName(definition.inputs());
  json["outputs"] = ByName(definition.outputs());
  json["reference"] = definition.reference();
  AppendUnknown(definition.unknown_json(), json);
  return json;
}

}  // namespace assay::json_internal
