#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "schema/dtype.h"
#include "schema/json_path.h"
#include "schema/names.h"
#include "schema/problem_list.h"
#include "schema/relative_path.h"
#include "schema/shape.h"
#include "schema/validate.h"

namespace assay {
namespace {

// The largest finite value of a dtype; integers are exact in a double but for
// int64, which every int64 fits.
double LargestOf(v1::DType dtype) {
  switch (dtype) {
    case v1::DTYPE_FLOAT32:
      return std::numeric_limits<float>::max();
    case v1::DTYPE_FLOAT16:
      return 65504;
    case v1::DTYPE_BFLOAT16:
      return 0x1.FEp127;
    case v1::DTYPE_FLOAT8_E4M3FN:
      return 448;
    case v1::DTYPE_FLOAT8_E5M2:
      return 57344;
    case v1::DTYPE_FLOAT4_E2M1FN_X2:
      return 6;
    default:
      return std::numeric_limits<double>::max();
  }
}

std::pair<int64_t, int64_t> RangeOf(v1::DType dtype) {
  switch (dtype) {
    case v1::DTYPE_INT32:
      return {std::numeric_limits<int32_t>::min(),
              std::numeric_limits<int32_t>::max()};
    case v1::DTYPE_INT16:
      return {std::numeric_limits<int16_t>::min(),
              std::numeric_limits<int16_t>::max()};
    case v1::DTYPE_INT8:
      return {-128, 127};
    case v1::DTYPE_UINT8:
      return {0, 255};
    default:
      return {std::numeric_limits<int64_t>::min(),
              std::numeric_limits<int64_t>::max()};
  }
}

// What is wrong with the value for the dtype, or nothing.
std::string ScalarFault(const v1::ScalarInput& scalar, v1::DType dtype) {
  const std::string name(DTypeName(dtype));
  switch (scalar.value_case()) {
    case v1::ScalarInput::kBoolValue:
      if (dtype == v1::DTYPE_BOOL) return "";
      return absl::StrCat(scalar.bool_value() ? "true" : "false",
                          " does not fit the dtype ", name, ", give a number");
    case v1::ScalarInput::kIntValue: {
      if (dtype == v1::DTYPE_BOOL) {
        return absl::StrCat(scalar.int_value(),
                            " does not fit the dtype bool, give true or false");
      }
      if (IsFloatDType(dtype)) {
        v1::ScalarInput real;
        real.set_float_value(static_cast<double>(scalar.int_value()));
        return ScalarFault(real, dtype);
      }
      const auto [low, high] = RangeOf(dtype);
      if (scalar.int_value() >= low && scalar.int_value() <= high) return "";
      return absl::StrCat(scalar.int_value(), " is out of the range of ", name,
                          ", which is ", low, " to ", high);
    }
    case v1::ScalarInput::kFloatValue: {
      const double value = scalar.float_value();
      if (!IsFloatDType(dtype)) {
        return absl::StrCat(
            value, " does not fit the dtype ", name, ", give ",
            dtype == v1::DTYPE_BOOL ? "true or false" : "an integer");
      }
      if (!std::isfinite(value) || std::abs(value) <= LargestOf(dtype)) {
        return "";
      }
      return absl::StrCat(value, " is out of the range of ", name,
                          ", whose largest value is ", LargestOf(dtype));
    }
    case v1::ScalarInput::VALUE_NOT_SET:
      break;
  }
  return "has no value, give one";
}

class WorkloadCheck {
 public:
  WorkloadCheck(const v1::Workload& workload, const v1::Definition& definition)
      : workload_(workload), definition_(definition) {}

  std::vector<Problem> Run() && {
    if (const std::string fault = LineFault(workload_.uuid()); !fault.empty()) {
      problems_.Error("$.uuid",
                      absl::StrCat(Quoted(workload_.uuid()), " ", fault));
    }
    for (int i = 0; i < workload_.target_hardware_size(); ++i) {
      const std::string& word = workload_.target_hardware(i);
      if (const std::string fault = LineFault(word); !fault.empty()) {
        problems_.Error(
            ElementPath("$.target_hardware", static_cast<size_t>(i)),
            absl::StrCat(Quoted(word), " ", fault));
      }
    }
    const bool axes_are_good = CheckAxes();
    CheckInputs();
    if (axes_are_good) CheckSize();
    return std::move(problems_).Release();
  }

 private:
  bool CheckAxes() {
    std::map<std::string, int64_t> given;
    bool good = true;
    const auto error = [&](const std::string& name, std::string message) {
      problems_.Error(MemberPath("$.axes", name), std::move(message));
      good = false;
    };
    for (const v1::AxisValue& axis : workload_.axes()) {
      if (!given.emplace(axis.name(), axis.value()).second) {
        error(axis.name(), "is given twice, remove one");
      }
      const v1::Axis* declared = FindAxis(axis.name());
      if (declared == nullptr) {
        error(axis.name(), absl::StrCat("unknown axis ", Quoted(axis.name()),
                                        ", use one of: ", VarAxes()));
      } else if (declared->kind() == v1::Axis::CONST) {
        if (declared->value() != axis.value()) {
          error(axis.name(), absl::StrCat("is ", axis.value(),
                                          ", the definition fixes it "
                                          "to ",
                                          declared->value(), ", leave it out"));
        }
      } else if (axis.value() < 0) {
        error(axis.name(), absl::StrCat("is ", axis.value(),
                                        ", give a value of at least 0"));
      }
    }
    for (const v1::Axis& axis : definition_.axes()) {
      if (axis.kind() == v1::Axis::VAR && given.count(axis.name()) == 0) {
        error(axis.name(), "is missing, give the axis a value");
      }
    }
    return good;
  }

  void CheckInputs() {
    std::map<std::string, const v1::WorkloadInput*> given;
    for (const v1::WorkloadInput& input : workload_.inputs()) {
      const std::string path = MemberPath("$.inputs", input.name());
      if (!given.emplace(input.name(), &input).second) {
        problems_.Error(path, "is given twice, remove one");
        continue;
      }
      const v1::TensorSpec* spec = FindInput(input.name());
      if (spec == nullptr) {
        problems_.Error(path,
                        absl::StrCat("unknown input ", Quoted(input.name()),
                                     ", use one of: ", InputNames()));
      } else {
        CheckInput(input, *spec, path);
      }
    }
    for (const v1::TensorSpec& spec : definition_.inputs()) {
      if (given.count(spec.name()) == 0) {
        problems_.Error(MemberPath("$.inputs", spec.name()),
                        "is missing, say what the input is");
      }
    }
  }

  void CheckInput(const v1::WorkloadInput& input, const v1::TensorSpec& spec,
                  const std::string& path) {
    switch (input.kind_case()) {
      case v1::WorkloadInput::kRandom:
        if (spec.is_scalar()) {
          problems_.Error(path,
                          "is a scalar and cannot be random, give a value: "
                          "{\"type\": \"scalar\", \"value\": ...}");
        }
        return;
      case v1::WorkloadInput::kScalar:
        CheckScalar(input.scalar(), spec, path);
        return;
      case v1::WorkloadInput::kSafetensors:
        CheckFile(input.safetensors(), spec, path);
        return;
      case v1::WorkloadInput::KIND_NOT_SET:
        problems_.Error(MemberPath(path, "type"),
                        "is not set, use \"random\", \"scalar\" or "
                        "\"safetensors\"");
    }
  }

  void CheckScalar(const v1::ScalarInput& scalar, const v1::TensorSpec& spec,
                   const std::string& path) {
    if (!spec.is_scalar() && !spec.shape().empty()) {
      problems_.Error(path, absl::StrCat("is a tensor of shape [",
                                         absl::StrJoin(spec.shape(), ", "),
                                         "], not a scalar, use \"random\" or "
                                         "\"safetensors\""));
      return;
    }
    if (const std::string fault = ScalarFault(scalar, spec.dtype());
        !fault.empty()) {
      problems_.Error(MemberPath(path, "value"), fault);
    }
  }

  void CheckFile(const v1::SafetensorsInput& file, const v1::TensorSpec& spec,
                 const std::string& path) {
    if (spec.is_scalar()) {
      problems_.Error(path,
                      "is a scalar and does not come from a file, give a "
                      "value: {\"type\": \"scalar\", \"value\": ...}");
    }
    const absl::Status status = CheckRelativePath(WithoutDotSlash(file.path()));
    if (!status.ok()) {
      problems_.Error(MemberPath(path, "path"),
                      absl::StrCat(Quoted(file.path()), " ", status.message()));
    }
    if (file.tensor_key().empty()) {
      problems_.Error(MemberPath(path, "tensor_key"),
                      "is empty, name a tensor of the file");
    }
  }

  void CheckSize() {
    const absl::Status status = ResolveCase(definition_, workload_).status();
    if (!status.ok()) {
      problems_.Error("$.axes", std::string(status.message()));
    }
  }

  const v1::Axis* FindAxis(const std::string& name) const {
    for (const v1::Axis& axis : definition_.axes()) {
      if (axis.name() == name) return &axis;
    }
    return nullptr;
  }

  const v1::TensorSpec* FindInput(const std::string& name) const {
    for (const v1::TensorSpec& input : definition_.inputs()) {
      if (input.name() == name) return &input;
    }
    return nullptr;
  }

  std::string VarAxes() const {
    std::vector<std::string> names;
    for (const v1::Axis& axis : definition_.axes()) {
      if (axis.kind() == v1::Axis::VAR) names.push_back(axis.name());
    }
    return names.empty() ? "(none)" : absl::StrJoin(names, ", ");
  }

  std::string InputNames() const {
    return absl::StrJoin(definition_.inputs(), ", ",
                         [](std::string* out, const v1::TensorSpec& input) {
                           out->append(input.name());
                         });
  }

  const v1::Workload& workload_;
  const v1::Definition& definition_;
  ProblemList problems_;
};

}  // namespace

std::vector<Problem> ValidateWorkload(const v1::Workload& workload,
                                      const v1::Definition& definition) {
  return WorkloadCheck(workload, definition).Run();
}

}  // namespace assay
