// Named values, one a line.

#ifndef ASSAY_CLIENT_CLI_FIELDS_H_
#define ASSAY_CLIENT_CLI_FIELDS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay {

//   Fields fields;
//   fields.Add("name", definition.name()).Add("op_type", definition.op_type());
//   console.Print(fields.Render());
class Fields {
 public:
  // Nothing is shown of an empty value.
  Fields& Add(absl::string_view name, absl::string_view value);
  // Text of several lines, below its name.
  Fields& AddBlock(absl::string_view name, absl::string_view text);

  // Without a newline at the end.
  std::string Render() const;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
  std::vector<std::pair<std::string, std::string>> blocks_;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_FIELDS_H_
