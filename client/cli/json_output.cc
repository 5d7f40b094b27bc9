#include "client/cli/json_output.h"

#include <google/protobuf/util/json_util.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace assay {
namespace {

using Value = nlohmann::ordered_json;

Value FromMessage(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string text;
  // Fails only for well-known types that hold nonsense, such as a timestamp in
  // the year 20000; what is left is then null rather than half a message.
  const auto status =
      google::protobuf::util::MessageToJsonString(message, &text, options);
  if (!status.ok()) return nullptr;
  Value value = Value::parse(text, nullptr, /*allow_exceptions=*/false);
  return value.is_discarded() ? Value(nullptr) : value;
}

std::string Dump(const Value& value, int indent) {
  // Text that is not UTF-8 is replaced: the alternative is an exception.
  return value.dump(indent, ' ', false, Value::error_handler_t::replace);
}

}  // namespace

Json::Json() : value_(std::make_unique<Value>(Value::object())) {}

Json::Json(const google::protobuf::Message& message)
    : value_(std::make_unique<Value>(FromMessage(message))) {}

Json Json::EmptyArray() {
  Json array;
  *array.value_ = Value::array();
  return array;
}

Json::~Json() = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json&&) noexcept = default;

Json& Json::Set(absl::string_view name, const Json& value) {
  (*value_)[std::string(name)] = *value.value_;
  return *this;
}

Json& Json::Set(absl::string_view name, absl::string_view value) {
  (*value_)[std::string(name)] = std::string(value);
  return *this;
}

Json& Json::Set(absl::string_view name, int64_t value) {
  (*value_)[std::string(name)] = value;
  return *this;
}

Json& Json::Set(absl::string_view name, double value) {
  (*value_)[std::string(name)] = value;
  return *this;
}

Json& Json::Append(const Json& value) {
  value_->push_back(*value.value_);
  return *this;
}

Json& Json::Append(absl::string_view value) {
  value_->push_back(std::string(value));
  return *this;
}

std::string Json::Line() const { return Dump(*value_, -1); }

std::string Json::Indented() const { return Dump(*value_, 2); }

}  // namespace assay
