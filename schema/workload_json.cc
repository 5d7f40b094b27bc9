#include <utility>

#include "absl/strings/str_cat.h"
#include "schema/json_objects.h"
#include "schema/json_path.h"

namespace assay::json_internal {
namespace {

// Keeps the JSON type: 1, 1.0 and true are different values.
void ReadScalar(JsonObject& object, v1::ScalarInput& scalar) {
  const Json* value = object.Value("value");
  if (value == nullptr) return;
  if (value->is_boolean()) {
    scalar.set_bool_value(value->get<bool>());
  } else if (value->is_number_integer()) {
    if (const auto number = object.OptionalInt("value"); number.has_value()) {
      scalar.set_int_value(*number);
    }
  } else if (const auto number = DoubleFromJson(*value); number.has_value()) {
    scalar.set_float_value(*number);
  } else {
    object.Complain("value",
                    absl::StrCat("must be a number, true or false, not ",
                                 JsonExcerpt(*value)));
  }
}

void ReadFile(JsonObject& object, v1::SafetensorsInput& file) {
  file.set_path(object.String("path"));
  file.set_tensor_key(object.String("tensor_key"));
  file.set_sha256(object.OptionalString("sha256"));
  file.set_size_bytes(object.OptionalInt("size_bytes").value_or(0));
}

v1::WorkloadInput ReadInput(const std::string& name, const Json& value,
                            const std::string& path, Problems& problems) {
  JsonObject object(value, path, problems);
  v1::WorkloadInput input;
  input.set_name(name);
  const absl::optional<std::string> type = object.Word("type");
  if (type == "random") {
    input.mutable_random();
  } else if (type == "scalar") {
    ReadScalar(object, *input.mutable_scalar());
  } else if (type == "safetensors") {
    ReadFile(object, *input.mutable_safetensors());
  } else if (type.has_value()) {
    object.Complain(
        "type",
        absl::StrCat("unknown type of input ", Quoted(*type),
                     ", use \"random\", \"scalar\" or \"safetensors\""));
  }
  input.set_unknown_json(object.UnknownMembers());
  return input;
}

void ReadAxes(JsonObject& object, v1::Workload& workload) {
  object.ForEachMember("axes", [&](const std::string& name, const Json& value,
                                   const std::string& path) {
    const absl::optional<int64_t> size = IntFromJson(value);
    if (!size.has_value()) object.ComplainAt(path, kIntWanted, value);
    v1::AxisValue& axis = *workload.add_axes();
    axis.set_name(name);
    axis.set_value(size.value_or(0));
  });
}

Json ToJson(const v1::ScalarInput& scalar) {
  switch (scalar.value_case()) {
    case v1::ScalarInput::kIntValue:
      return scalar.int_value();
    case v1::ScalarInput::kFloatValue:
      return DoubleToJson(scalar.float_value());
    case v1::ScalarInput::kBoolValue:
      return scalar.bool_value();
    case v1::ScalarInput::VALUE_NOT_SET:
      break;
  }
  return nullptr;
}

Json ToJson(const v1::WorkloadInput& input) {
  Json json = Json::object();
  if (input.has_scalar()) {
    json["type"] = "scalar";
    json["value"] = ToJson(input.scalar());
  } else if (input.has_safetensors()) {
    const v1::SafetensorsInput& file = input.safetensors();
    json["type"] = "safetensors";
    json["path"] = file.path();
    json["tensor_key"] = file.tensor_key();
    if (!file.sha256().empty()) json["sha256"] = file.sha256();
    if (file.size_bytes() != 0) json["size_bytes"] = file.size_bytes();
  } else {
    json["type"] = "random";
  }
  AppendUnknown(input.unknown_json(), json);
  return json;
}

}  // namespace

v1::Workload ReadWorkload(const Json& value, const std::string& path,
                          Problems& problems) {
  JsonObject object(value, path, problems);
  v1::Workload workload;
  workload.set_uuid(object.String("uuid"));
  ReadAxes(object, workload);
  object.ForEachMember("inputs", [&](const std::string& name, const Json& input,
                                     const std::string& input_path) {
    *workload.add_inputs() = ReadInput(name, input, input_path, problems);
  });
  for (std::string& word : object.OptionalStrings("target_hardware")) {
    workload.add_target_hardware(std::move(word));
  }
  workload.set_unknown_json(object.UnknownMembers());
  return workload;
}

Json ToJson(const v1::Workload& workload) {
  Json json = Json::object();
  json["uuid"] = workload.uuid();
  json["axes"] = Json::object();
  for (const v1::AxisValue& axis : workload.axes()) {
    json["axes"][axis.name()] = axis.value();
  }
  json["inputs"] = Json::object();
  for (const v1::WorkloadInput& input : workload.inputs()) {
    json["inputs"][input.name()] = ToJson(input);
  }
  if (!workload.target_hardware().empty()) {
    json["target_hardware"] = workload.target_hardware();
  }
  AppendUnknown(workload.unknown_json(), json);
  return json;
}

}  // namespace assay::json_internal
