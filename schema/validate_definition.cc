#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "schema/json_path.h"
#include "schema/names.h"
#include "schema/problem_list.h"
#include "schema/python_scan.h"
#include "schema/validate.h"

namespace assay {
namespace {

using google::protobuf::RepeatedPtrField;

// As torch has it.
constexpr int kMaxDimensions = 64;

class DefinitionCheck {
 public:
  explicit DefinitionCheck(const v1::Definition& definition)
      : definition_(definition) {}

  std::vector<Problem> Run() && {
    CheckNames();
    CheckAxes();
    CheckTensors("inputs", definition_.inputs());
    CheckTensors("outputs", definition_.outputs());
    CheckReference();
    CheckTexts("tags", definition_.tags());
    CheckConstraints();
    return std::move(problems_).Release();
  }

 private:
  void CheckNames() {
    CheckName("name", definition_.name());
    CheckName("op_type", definition_.op_type());
  }

  void CheckName(absl::string_view member, const std::string& name) {
    if (const std::string fault = NameFault(name); !fault.empty()) {
      problems_.Error(MemberPath("$", member),
                      absl::StrCat(Quoted(name), " ", fault));
    }
  }

  void CheckAxes() {
    for (const v1::Axis& axis : definition_.axes()) {
      const std::string path = MemberPath("$.axes", axis.name());
      if (const std::string fault = IdentifierFault(axis.name());
          !fault.empty()) {
        problems_.Error(path, absl::StrCat(Quoted(axis.name()), " ", fault));
      }
      if (!axes_.insert(axis.name()).second) {
        problems_.Error(path, "is declared twice, remove one");
      }
      CheckAxis(axis, path);
    }
  }

  void CheckAxis(const v1::Axis& axis, const std::string& path) {
    if (axis.kind() == v1::Axis::CONST && axis.value() < 1) {
      problems_.Error(MemberPath(path, "value"),
                      absl::StrCat("is ", axis.value(),
                                   ", a const axis has a value of at least 1"));
    }
    if (axis.kind() != v1::Axis::CONST && axis.kind() != v1::Axis::VAR) {
      problems_.Error(MemberPath(path, "type"),
                      "is not set, use \"const\" or \"var\"");
    }
    const bool parent_known =
        axis.parent().empty() ||
        std::any_of(definition_.axes().begin(), definition_.axes().end(),
                    [&](const v1::Axis& other) {
                      return other.name() == axis.parent();
                    });
    if (!parent_known) {
      problems_.Warning(MemberPath(path, "parent"),
                        absl::StrCat("unknown axis ", Quoted(axis.parent()),
                                     ", name one of: ", AxisNames()));
    }
  }

  void CheckTensors(absl::string_view member,
                    const RepeatedPtrField<v1::TensorSpec>& tensors) {
    const std::string parent = MemberPath("$", member);
    if (tensors.empty()) {
      problems_.Error(parent, "is empty, describe at least one tensor");
    }
    for (const v1::TensorSpec& tensor : tensors) {
      const std::string path = MemberPath(parent, tensor.name());
      if (const std::string fault = IdentifierFault(tensor.name());
          !fault.empty()) {
        problems_.Error(path, absl::StrCat(Quoted(tensor.name()), " ", fault));
      }
      const auto [first, is_new] =
          tensors_.emplace(tensor.name(), std::string(member));
      if (!is_new) {
        problems_.Error(path, absl::StrCat("is also one of \"", first->second,
                                           "\", choose another name"));
      }
      CheckTensor(tensor, path);
    }
  }

  void CheckTensor(const v1::TensorSpec& tensor, const std::string& path) {
    if (tensor.dtype() == v1::DTYPE_UNSPECIFIED ||
        !v1::DType_IsValid(tensor.dtype())) {
      problems_.Error(MemberPath(path, "dtype"), "is not set, name a dtype");
    }
    const std::string shape_path = MemberPath(path, "shape");
    if (tensor.is_scalar() && !tensor.shape().empty()) {
      problems_.Error(shape_path, "is given for a scalar, leave it out");
    }
    if (tensor.shape_size() > kMaxDimensions) {
      problems_.Error(shape_path, absl::StrCat("has ", tensor.shape_size(),
                                               " dimensions, use at most ",
                                               kMaxDimensions));
    }
    for (int i = 0; i < tensor.shape_size(); ++i) {
      if (axes_.count(tensor.shape(i)) != 0) continue;
      problems_.Error(
          ElementPath(shape_path, static_cast<size_t>(i)),
          absl::StrCat("unknown axis ", Quoted(tensor.shape(i)),
                       ", declare it in \"axes\"",
                       axes_.empty() ? "" : " or use one of: ", AxisNames()));
    }
  }

  void CheckReference() {
    const std::string path = "$.reference";
    if (absl::StripAsciiWhitespace(definition_.reference()).empty()) {
      problems_.Error(path,
                      "is empty, write Python source that defines "
                      "\"run\"");
      return;
    }
    const PythonScan scan = ScanPython(definition_.reference(), "run");
    if (!scan.is_sound) {
      problems_.Warning(path,
                        "brackets or quotes do not pair up, check the Python "
                        "source");
    } else if (!scan.function.has_value()) {
      problems_.Error(path, absl::StrCat("defines no function \"run\" at the "
                                         "top level, add \"",
                                         WantedReference(), "\""));
    } else {
      CheckParameters(*scan.function, path);
    }
  }

  void CheckParameters(const PythonFunction& run, const std::string& path) {
    const int inputs = definition_.inputs_size();
    const int parameters = static_cast<int>(run.parameters.size());
    if (run.required > inputs || (parameters < inputs && !run.takes_more)) {
      problems_.Error(
          path,
          absl::StrCat("\"run\" takes ", parameters, " parameters for ", inputs,
                       " inputs, write \"", WantedReference(), "\""));
      return;
    }
    for (int i = 0; i < std::min(inputs, parameters); ++i) {
      const std::string& name = definition_.inputs(i).name();
      if (run.parameters[static_cast<size_t>(i)] == name) continue;
      problems_.Warning(
          path, absl::StrCat("parameter ", i + 1, " of \"run\" is ",
                             Quoted(run.parameters[static_cast<size_t>(i)]),
                             " and gets the input ", Quoted(name),
                             ": inputs are passed by position"));
    }
  }

  void CheckTexts(absl::string_view member,
                  const RepeatedPtrField<std::string>& texts) {
    for (int i = 0; i < texts.size(); ++i) {
      if (!absl::StripAsciiWhitespace(texts.Get(i)).empty()) continue;
      problems_.Error(
          ElementPath(MemberPath("$", member), static_cast<size_t>(i)),
          "is empty, remove it");
    }
  }

  void CheckConstraints() {
    CheckTexts("constraints", definition_.constraints());
    for (int i = 0; i < definition_.constraints_size(); ++i) {
      if (ScanPython(definition_.constraints(i), "").is_sound) continue;
      problems_.Error(ElementPath("$.constraints", static_cast<size_t>(i)),
                      absl::StrCat(Quoted(definition_.constraints(i)),
                                   " is no Python expression: brackets or "
                                   "quotes do not pair up"));
    }
  }

  std::string AxisNames() const {
    return absl::StrJoin(definition_.axes(), ", ",
                         [](std::string* out, const v1::Axis& axis) {
                           out->append(axis.name());
                         });
  }

  std::string WantedReference() const {
    return absl::StrCat(
        "def run(",
        absl::StrJoin(definition_.inputs(), ", ",
                      [](std::string* out, const v1::TensorSpec& input) {
                        out->append(input.name());
                      }),
        "):");
  }

  const v1::Definition& definition_;
  ProblemList problems_;
  std::set<std::string> axes_;
  // Name to the member that has it.
  std::map<std::string, std::string> tensors_;
};

}  // namespace

std::vector<Problem> ValidateDefinition(const v1::Definition& definition) {
  return DefinitionCheck(definition).Run();
}

}  // namespace assay
