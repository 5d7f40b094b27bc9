// Checked reading of a JSON object, member by member.
//
//   std::vector<Problem> problems;
//   JsonObject object(value, "$", problems);
//   axis.set_name(object.String("name"));
//   axis.set_unknown_json(object.UnknownMembers());
//
// A member that is missing or has another type adds a Problem and reads as
// empty, so that one pass finds everything that is wrong.

#ifndef ASSAY_SCHEMA_JSON_OBJECT_H_
#define ASSAY_SCHEMA_JSON_OBJECT_H_

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/json_parser.h"
#include "schema/problem.h"

namespace assay {

// Reads one object. The value and the problems outlive it. Not thread-safe.
class JsonObject {
 public:
  // A `value` that is no object is a problem and reads as one without members,
  // whose absence is not complained about.
  JsonObject(const Json& value, std::string path,
             std::vector<Problem>& problems);

  // The member must be there.
  std::string String(absl::string_view name);
  int64_t Int(absl::string_view name);
  // Numbers, and the strings "NaN", "Infinity" and "-Infinity".
  double Double(absl::string_view name);
  // A string that may be empty; nothing when it is missing or no string, which
  // is a problem. For words that have to be looked up.
  absl::optional<std::string> Word(absl::string_view name);
  // The value itself, whatever it is; null when missing, which is a problem.
  const Json* Value(absl::string_view name);

  // The member may be absent or null.
  std::string OptionalString(absl::string_view name);
  absl::optional<int64_t> OptionalInt(absl::string_view name);
  absl::optional<int32_t> OptionalInt32(absl::string_view name);
  absl::optional<double> OptionalDouble(absl::string_view name);
  absl::optional<bool> OptionalBool(absl::string_view name);
  std::vector<std::string> OptionalStrings(absl::string_view name);
  const Json* OptionalValue(absl::string_view name);

  // Calls `visit(name, value, path)` for each member of the member `name`,
  // which must be an object, in order.
  using Visitor = std::function<void(const std::string&, const Json&,
                                     const std::string& path)>;
  void ForEachMember(absl::string_view name, const Visitor& visit);
  // Calls `visit(value, path)` for each element of the member `name`, an array.
  using ElementVisitor =
      std::function<void(const Json&, const std::string& path)>;
  void ForEachElement(absl::string_view name, const ElementVisitor& visit);

  // True when there is such a member, even if null.
  bool Has(absl::string_view name) const;

  // Members that none of the calls above asked for, as one JSON object; empty
  // when there are none.
  std::string UnknownMembers() const;

  // Adds a problem with the member `name`.
  void Complain(absl::string_view name, std::string message);
  // Adds "must be `wanted`, not `value`".
  void ComplainAt(const std::string& path, absl::string_view wanted,
                  const Json& value);

  std::string PathOf(absl::string_view name) const;
  std::vector<Problem>& problems() { return problems_; }

 private:
  const Json* Find(absl::string_view name);

  // Null when the value is no object.
  const Json* object_;
  const std::string path_;
  std::vector<Problem>& problems_;
  std::set<std::string> known_;
};

// What messages call the numbers that IntFromJson reads.
inline constexpr absl::string_view kIntWanted = "an integer of at most 63 bits";
absl::optional<int64_t> IntFromJson(const Json& value);

// Reads a number or one of the three strings for what JSON cannot write.
absl::optional<double> DoubleFromJson(const Json& value);
// The other direction.
Json DoubleToJson(double value);

// Appends the members of `unknown_json` to `object`, except those it has.
void AppendUnknown(const std::string& unknown_json, Json& object);

}  // namespace assay

#endif  // ASSAY_SCHEMA_JSON_OBJECT_H_
