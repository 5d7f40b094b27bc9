#include "client/config/yaml.h"

#include <yaml.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// Beyond what anybody writes, and far from what recursion can take.
constexpr int kMaxDepth = 32;

absl::Status Wrong(int line, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("line ", line, ": ", what));
}

// An event of the library, freed at the end.
class Event {
 public:
  Event() = default;
  ~Event() { yaml_event_delete(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  yaml_event_t* get() { return &event_; }
  yaml_event_type_t type() const { return event_.type; }
  int line() const { return static_cast<int>(event_.start_mark.line) + 1; }
  const auto& scalar() const { return event_.data.scalar; }

 private:
  yaml_event_t event_{};
};

class Parser {
 public:
  explicit Parser(absl::string_view text) {
    if (yaml_parser_initialize(&parser_) == 0) return;
    initialized_ = true;
    yaml_parser_set_input_string(
        &parser_, reinterpret_cast<const unsigned char*>(text.data()),
        text.size());
  }
  ~Parser() {
    if (initialized_) yaml_parser_delete(&parser_);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  absl::StatusOr<YamlNode> ParseFile() {
    if (!initialized_) return absl::ResourceExhaustedError("out of memory");
    YamlNode root;
    while (true) {
      Event event;
      ASSAY_RETURN_IF_ERROR(Next(event));
      if (event.type() == YAML_STREAM_END_EVENT) return root;
      if (event.type() == YAML_DOCUMENT_START_EVENT && had_document_) {
        return Wrong(event.line(), "a second document begins here");
      }
      if (event.type() != YAML_STREAM_START_EVENT &&
          event.type() != YAML_DOCUMENT_START_EVENT &&
          event.type() != YAML_DOCUMENT_END_EVENT) {
        had_document_ = true;
        ASSAY_ASSIGN_OR_RETURN(root, ParseNode(event, 0));
      }
    }
  }

 private:
  absl::Status Next(Event& event) {
    if (yaml_parser_parse(&parser_, event.get()) != 0) {
      return absl::OkStatus();
    }
    const auto line = static_cast<int>(parser_.problem_mark.line) + 1;
    const char* problem = parser_.problem;
    return Wrong(line, problem == nullptr ? "this is no YAML" : problem);
  }

  absl::StatusOr<YamlNode> ParseNode(const Event& event, int depth) {
    if (depth > kMaxDepth) return Wrong(event.line(), "nested too deeply");
    YamlNode node;
    node.line = event.line();
    switch (event.type()) {
      case YAML_SCALAR_EVENT:
        ReadScalar(event, node);
        return node;
      case YAML_SEQUENCE_START_EVENT:
        return ParseList(std::move(node), depth);
      case YAML_MAPPING_START_EVENT:
        return ParseMap(std::move(node), depth);
      default:
        return Wrong(event.line(), "an alias; write the value out");
    }
  }

  static void ReadScalar(const Event& event, YamlNode& node) {
    const auto& scalar = event.scalar();
    node.text.assign(reinterpret_cast<const char*>(scalar.value),
                     scalar.length);
    const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
    const bool is_null = plain && (node.text.empty() || node.text == "~" ||
                                   node.text == "null" || node.text == "Null");
    node.kind = is_null ? YamlNode::kNull : YamlNode::kScalar;
  }

  absl::StatusOr<YamlNode> ParseList(YamlNode node, int depth) {
    node.kind = YamlNode::kList;
    while (true) {
      Event event;
      ASSAY_RETURN_IF_ERROR(Next(event));
      if (event.type() == YAML_SEQUENCE_END_EVENT) return node;
      ASSAY_ASSIGN_OR_RETURN(YamlNode item, ParseNode(event, depth + 1));
      node.items.push_back(std::move(item));
    }
  }

  absl::StatusOr<YamlNode> ParseMap(YamlNode node, int depth) {
    node.kind = YamlNode::kMap;
    while (true) {
      Event key;
      ASSAY_RETURN_IF_ERROR(Next(key));
      if (key.type() == YAML_MAPPING_END_EVENT) return node;
      if (key.type() != YAML_SCALAR_EVENT) {
        return Wrong(key.line(), "a key must be a word");
      }
      std::string name(reinterpret_cast<const char*>(key.scalar().value),
                       key.scalar().length);
      const bool known = std::any_of(
          node.entries.begin(), node.entries.end(),
          [&name](const auto& entry) { return entry.first == name; });
      if (known) {
        return Wrong(key.line(), absl::StrCat("\"", name, "\" stands twice"));
      }
      Event value;
      ASSAY_RETURN_IF_ERROR(Next(value));
      ASSAY_ASSIGN_OR_RETURN(YamlNode parsed, ParseNode(value, depth + 1));
      // That of what is wrong with the key, also where it has no value.
      if (parsed.kind == YamlNode::kNull) parsed.line = key.line();
      node.entries.emplace_back(std::move(name), std::move(parsed));
    }
  }

  yaml_parser_t parser_{};
  bool initialized_ = false;
  bool had_document_ = false;
};

}  // namespace

absl::StatusOr<YamlNode> ParseYaml(absl::string_view text) {
  return Parser(text).ParseFile();
}

}  // namespace assay
