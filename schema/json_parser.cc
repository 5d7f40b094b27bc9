#include "schema/json_parser.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "schema/json_path.h"

namespace assay {
namespace {

constexpr size_t kExcerptBytes = 60;

std::string LineAndColumn(absl::string_view text, size_t offset) {
  text = text.substr(0, std::min(offset, text.size()));
  const auto newlines = std::count(text.begin(), text.end(), '\n');
  const size_t last = text.rfind('\n');
  const size_t column =
      last == absl::string_view::npos ? text.size() + 1 : text.size() - last;
  return absl::StrCat("line ", newlines + 1, ", column ", column);
}

// The library's "[json.exception...] parse error at ...: syntax error while
// parsing object - unexpected '}'; expected string literal" without its first
// half.
std::string Explanation(absl::string_view what) {
  const size_t dash = what.find(" - ");
  if (dash != absl::string_view::npos) what.remove_prefix(dash + 3);
  std::string text = absl::StrReplaceAll(
      what, {{"; last read: ", " at "}, {"; expected ", ", expected "}});
  if (absl::StrContains(text, "invalid literal") &&
      (absl::EndsWith(text, "N'") || absl::EndsWith(text, "I'"))) {
    absl::StrAppend(&text, R"(, write "NaN", "Infinity" and "-Infinity")",
                    " as strings");
  }
  return text;
}

// Receives the parser's events, builds the tree and keeps the first error.
class TreeBuilder {
 public:
  TreeBuilder(absl::string_view text, const JsonLimits& limits)
      : text_(text), limits_(limits) {}

  // The names and types are the library's.
  bool null() { return Add(nullptr); }
  bool boolean(bool value) { return Add(value); }
  bool number_integer(int64_t value) { return Add(value); }
  bool number_unsigned(uint64_t value) { return Add(value); }
  bool number_float(double value, const std::string&) { return Add(value); }
  bool string(std::string& value) {
    if (value.find('\0') != std::string::npos) {
      return Fail(absl::StrCat(
          Path(), ": contains a NUL character (\\u0000), remove it"));
    }
    return Add(std::move(value));
  }
  bool binary(Json::binary_t&) { return Fail("binary values are no JSON"); }
  bool start_object(size_t) { return Open(Json::object()); }
  bool start_array(size_t) { return Open(Json::array()); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }

  bool key(std::string& name) {
    Level& level = levels_.back();
    if (name.find('\0') != std::string::npos) {
      return Fail(absl::StrCat(
          ParentPath(),
          ": a member's name contains a NUL character (\\u0000), remove it"));
    }
    if (!level.names.insert(name).second) {
      return Fail(absl::StrCat(ParentPath(), ": member ", Quoted(name),
                               " is given twice, remove one"));
    }
    level.name = std::move(name);
    return true;
  }

  template <typename Exception>
  bool parse_error(size_t position, const std::string&,
                   const Exception& exception) {
    const size_t offset = position == 0 ? 0 : position - 1;
    return Fail(absl::StrCat(LineAndColumn(text_, offset), ": ",
                             Explanation(exception.what())));
  }

  absl::StatusOr<Json> Finish() && {
    if (!error_.empty()) return absl::InvalidArgumentError(error_);
    return std::move(root_);
  }

 private:
  // An object or array that is still open.
  struct Level {
    Json* value;
    // Of an object: the member being read, and all members so far.
    std::string name;
    absl::flat_hash_set<std::string> names;
  };

  bool Fail(std::string error) {
    if (error_.empty()) error_ = std::move(error);
    return false;
  }

  // Puts `value` into the innermost open level. Returns its place, or null
  // after an error. The place is stable until the level gets its next value.
  Json* Place(Json value) {
    if (++values_ > limits_.max_values) {
      Fail(absl::StrCat("holds more than the limit of ", limits_.max_values,
                        " values"));
      return nullptr;
    }
    if (levels_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Level& level = levels_.back();
    if (level.value->is_array()) {
      auto& elements = level.value->get_ref<Json::array_t&>();
      elements.push_back(std::move(value));
      return &elements.back();
    }
    // Past the object's own insertion, which looks at every member first.
    Json::object_t::Container& members =
        level.value->get_ref<Json::object_t&>();
    members.emplace_back(std::move(level.name), std::move(value));
    return &members.back().second;
  }

  bool Add(Json value) { return Place(std::move(value)) != nullptr; }

  bool Open(Json value) {
    if (static_cast<int>(levels_.size()) >= limits_.max_depth) {
      return Fail(absl::StrCat("is nested deeper than the limit of ",
                               limits_.max_depth, " levels"));
    }
    Json* place = Place(std::move(value));
    if (place == nullptr) return false;
    levels_.push_back({place, "", {}});
    return true;
  }

  bool Close() {
    levels_.pop_back();
    return true;
  }

  // Of the innermost open level.
  std::string ParentPath() const {
    std::string path = "$";
    for (size_t i = 0; i + 1 < levels_.size(); ++i) Descend(levels_[i], path);
    return path;
  }

  // Of the value that is read now.
  std::string Path() const {
    std::string path = ParentPath();
    if (levels_.empty()) return path;
    const Level& level = levels_.back();
    return level.value->is_array() ? ElementPath(path, level.value->size())
                                   : MemberPath(path, level.name);
  }

  static void Descend(const Level& level, std::string& path) {
    if (level.value->is_array()) {
      path = ElementPath(path, level.value->size() - 1);
    } else {
      path = MemberPath(
          path, level.value->get_ref<const Json::object_t&>().back().first);
    }
  }

  const absl::string_view text_;
  const JsonLimits limits_;
  Json root_;
  std::vector<Level> levels_;
  size_t values_ = 0;
  std::string error_;
};

}  // namespace

absl::StatusOr<Json> ParseJson(absl::string_view text,
                               const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("has ", text.size(), " bytes, the limit for JSON is ",
                     limits.max_bytes));
  }
  TreeBuilder builder(text, limits);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder).Finish();
}

std::string JsonExcerpt(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_string()) return Quoted(value.get_ref<const std::string&>());
  return DumpJson(value).substr(0, kExcerptBytes);
}

std::string DumpJson(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace assay
