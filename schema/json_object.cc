#include "schema/json_object.h"

#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "schema/json_path.h"

namespace assay {
namespace {

const Json* FindMember(const Json& object, absl::string_view name) {
  const auto member = object.find(std::string(name));
  return member == object.end() ? nullptr : &*member;
}

}  // namespace

JsonObject::JsonObject(const Json& value, std::string path,
                       std::vector<Problem>& problems)
    : object_(value.is_object() ? &value : nullptr),
      path_(std::move(path)),
      problems_(problems) {
  if (object_ == nullptr) {
    ComplainAt(path_, "an object", value);
  }
}

std::string JsonObject::String(absl::string_view name) {
  return Word(name).value_or("");
}

absl::optional<std::string> JsonObject::Word(absl::string_view name) {
  const Json* value = Value(name);
  if (value == nullptr) return absl::nullopt;
  if (!value->is_string()) {
    ComplainAt(PathOf(name), "a string", *value);
    return absl::nullopt;
  }
  return value->get<std::string>();
}

int64_t JsonObject::Int(absl::string_view name) {
  const Json* value = Value(name);
  if (value == nullptr) return 0;
  const absl::optional<int64_t> number = IntFromJson(*value);
  if (!number.has_value()) ComplainAt(PathOf(name), kIntWanted, *value);
  return number.value_or(0);
}

double JsonObject::Double(absl::string_view name) {
  const Json* value = Value(name);
  if (value == nullptr) return 0;
  const absl::optional<double> number = DoubleFromJson(*value);
  if (!number.has_value()) ComplainAt(PathOf(name), "a number", *value);
  return number.value_or(0);
}

const Json* JsonObject::Value(absl::string_view name) {
  const Json* value = Find(name);
  if (value == nullptr && object_ != nullptr) {
    problems_.push_back(
        {path_, absl::StrCat("member ", Quoted(name), " is missing, add it"),
         false});
  }
  return value;
}

const Json* JsonObject::OptionalValue(absl::string_view name) {
  const Json* value = Find(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string JsonObject::OptionalString(absl::string_view name) {
  return OptionalValue(name) == nullptr ? "" : String(name);
}

absl::optional<int64_t> JsonObject::OptionalInt(absl::string_view name) {
  const Json* value = OptionalValue(name);
  if (value == nullptr) return absl::nullopt;
  const absl::optional<int64_t> number = IntFromJson(*value);
  if (!number.has_value()) ComplainAt(PathOf(name), kIntWanted, *value);
  return number;
}

absl::optional<int32_t> JsonObject::OptionalInt32(absl::string_view name) {
  const absl::optional<int64_t> number = OptionalInt(name);
  if (!number.has_value()) return absl::nullopt;
  if (*number < std::numeric_limits<int32_t>::min() ||
      *number > std::numeric_limits<int32_t>::max()) {
    ComplainAt(PathOf(name), "an integer of at most 31 bits", *Find(name));
    return absl::nullopt;
  }
  return static_cast<int32_t>(*number);
}

absl::optional<double> JsonObject::OptionalDouble(absl::string_view name) {
  if (OptionalValue(name) == nullptr) return absl::nullopt;
  return Double(name);
}

absl::optional<bool> JsonObject::OptionalBool(absl::string_view name) {
  const Json* value = OptionalValue(name);
  if (value == nullptr) return absl::nullopt;
  if (!value->is_boolean()) {
    ComplainAt(PathOf(name), "true or false", *value);
    return absl::nullopt;
  }
  return value->get<bool>();
}

std::vector<std::string> JsonObject::OptionalStrings(absl::string_view name) {
  std::vector<std::string> strings;
  if (OptionalValue(name) == nullptr) return strings;
  ForEachElement(name, [&](const Json& value, const std::string& path) {
    if (value.is_string()) {
      strings.push_back(value.get<std::string>());
    } else {
      ComplainAt(path, "a string", value);
    }
  });
  return strings;
}

void JsonObject::ForEachMember(absl::string_view name, const Visitor& visit) {
  const Json* value = Value(name);
  if (value == nullptr) return;
  if (!value->is_object()) {
    ComplainAt(PathOf(name), "an object", *value);
    return;
  }
  for (const auto& [key, member] : value->items()) {
    visit(key, member, MemberPath(PathOf(name), key));
  }
}

void JsonObject::ForEachElement(absl::string_view name,
                                const ElementVisitor& visit) {
  const Json* value = Value(name);
  if (value == nullptr) return;
  if (!value->is_array()) {
    ComplainAt(PathOf(name), "an array", *value);
    return;
  }
  for (size_t i = 0; i < value->size(); ++i) {
    visit((*value)[i], ElementPath(PathOf(name), i));
  }
}

bool JsonObject::Has(absl::string_view name) const {
  return object_ != nullptr && FindMember(*object_, name) != nullptr;
}

std::string JsonObject::UnknownMembers() const {
  if (object_ == nullptr) return "";
  Json unknown = Json::object();
  for (const auto& [name, value] : object_->items()) {
    if (known_.count(name) == 0) unknown[name] = value;
  }
  return unknown.empty() ? "" : DumpJson(unknown);
}

void JsonObject::Complain(absl::string_view name, std::string message) {
  problems_.push_back({PathOf(name), std::move(message), false});
}

void JsonObject::ComplainAt(const std::string& path, absl::string_view wanted,
                            const Json& value) {
  problems_.push_back(
      {path, absl::StrCat("must be ", wanted, ", not ", JsonExcerpt(value)),
       false});
}

std::string JsonObject::PathOf(absl::string_view name) const {
  return MemberPath(path_, name);
}

const Json* JsonObject::Find(absl::string_view name) {
  known_.insert(std::string(name));
  return object_ == nullptr ? nullptr : FindMember(*object_, name);
}

absl::optional<int64_t> IntFromJson(const Json& value) {
  if (!value.is_number_integer()) return absl::nullopt;
  if (value.is_number_unsigned() &&
      value.get<uint64_t>() >
          static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return absl::nullopt;
  }
  return value.get<int64_t>();
}

absl::optional<double> DoubleFromJson(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return absl::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return absl::nullopt;
}

Json DoubleToJson(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

void AppendUnknown(const std::string& unknown_json, Json& object) {
  if (unknown_json.empty()) return;
  const absl::StatusOr<Json> unknown = ParseJson(unknown_json);
  if (!unknown.ok() || !unknown->is_object()) return;
  for (const auto& [name, value] : unknown->items()) {
    if (!object.contains(name)) object[name] = value;
  }
}

}  // namespace assay
