// YAML files as trees that know their lines. Plain data only: no tags, no
// anchors, one document, every key once.
//
//   ASSAY_ASSIGN_OR_RETURN(const YamlNode root, ParseYaml("rtol: 0.01\n"));
//   root.entries[0].second.text;  // "0.01", of line 1

#ifndef ASSAY_CLIENT_CONFIG_YAML_H_
#define ASSAY_CLIENT_CONFIG_YAML_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

struct YamlNode {
  // Null is what a key without a value has; it is no scalar "".
  enum Kind { kNull, kScalar, kList, kMap };
  Kind kind = kNull;
  // Counted from 1.
  int line = 1;
  // Of a scalar.
  std::string text;
  std::vector<YamlNode> items;
  // Of a map, in the order of the file.
  std::vector<std::pair<std::string, YamlNode>> entries;
};

// An empty text is null. INVALID_ARGUMENT as "line 3: what is wrong".
absl::StatusOr<YamlNode> ParseYaml(absl::string_view text);

}  // namespace assay

#endif  // ASSAY_CLIENT_CONFIG_YAML_H_
