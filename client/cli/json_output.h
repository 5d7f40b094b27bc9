// The JSON that `--json` prints. docs/cli.md describes the documents.
//
//   Json document;
//   document.Set("jobs", JsonArray(jobs)).Set("errors", 3);
//   console.Print(document.Indented());

#ifndef ASSAY_CLIENT_CLI_JSON_OUTPUT_H_
#define ASSAY_CLIENT_CLI_JSON_OUTPUT_H_

#include <google/protobuf/message.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {

// A value under construction. Members keep the order in which they are set.
class Json {
 public:
  // An empty object.
  Json();
  // The message in protobuf's JSON mapping, with the field names of the .proto
  // files and every field present that has no presence of its own.
  explicit Json(const google::protobuf::Message& message);
  static Json EmptyArray();
  ~Json();
  Json(Json&&) noexcept;
  Json& operator=(Json&&) noexcept;

  // Sets a member of an object.
  Json& Set(absl::string_view name, const Json& value);
  Json& Set(absl::string_view name, absl::string_view value);
  Json& Set(absl::string_view name, int64_t value);
  Json& Set(absl::string_view name, double value);
  // A literal would turn into a number otherwise.
  Json& Set(absl::string_view name, const char* value) {
    return Set(name, absl::string_view(value));
  }
  Json& Set(absl::string_view name, int value) {
    return Set(name, static_cast<int64_t>(value));
  }

  // Adds to an array.
  Json& Append(const Json& value);
  Json& Append(absl::string_view value);

  // On one line.
  std::string Line() const;
  std::string Indented() const;

 private:
  std::unique_ptr<nlohmann::ordered_json> value_;
};

template <typename Messages>
Json JsonArray(const Messages& messages) {
  Json array = Json::EmptyArray();
  for (const auto& message : messages) array.Append(Json(message));
  return array;
}

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_JSON_OUTPUT_H_
