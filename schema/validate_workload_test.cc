#include <cmath>
#include <functional>

#include "schema/schema_testing.h"
#include "schema/validate.h"
#include "schema/validate_testing.h"

namespace assay {
namespace {

using testing::IsEmpty;

using Workload = v1::Workload;

TEST(ValidateWorkloadTest, AGoodOneHasNoProblems) {
  EXPECT_THAT(Texts(ValidateWorkload(ScaleWorkload(), ScaleDefinition())),
              IsEmpty());
}

TEST(ValidateWorkloadTest, GoodVariants) {
  const std::function<void(Workload&)> kChanges[] = {
      [](Workload& w) { w.mutable_axes(0)->set_value(0); },
      [](Workload& w) {
        w.mutable_inputs(1)->mutable_scalar()->set_int_value(2);
      },
      [](Workload& w) {
        w.mutable_inputs(1)->mutable_scalar()->set_float_value(-INFINITY);
      },
      [](Workload& w) {
        v1::AxisValue& hidden = *w.add_axes();
        hidden.set_name("hidden");
        hidden.set_value(16);
      },
      [](Workload& w) {
        v1::SafetensorsInput& file =
            *w.mutable_inputs(0)->mutable_safetensors();
        file.set_path("./blob/workloads/x.safetensors");
        file.set_tensor_key("x");
      }};
  for (const auto& change : kChanges) {
    Workload workload = ScaleWorkload();
    change(workload);
    EXPECT_THAT(Texts(ValidateWorkload(workload, ScaleDefinition())),
                IsEmpty());
  }
}

void SetFile(Workload& workload, const char* path, const char* key) {
  v1::SafetensorsInput& file =
      *workload.mutable_inputs(0)->mutable_safetensors();
  file.set_path(path);
  file.set_tensor_key(key);
}

TEST(ValidateWorkloadTest, EachFaultIsNamed) {
  const struct {
    std::function<void(Workload&)> change;
    const char* problem;
  } kCases[] = {
      {[](Workload& w) { w.set_uuid(""); }, "error $.uuid: \"\" is empty"},
      {[](Workload& w) { w.add_target_hardware(""); },
       "error $.target_hardware[0]: \"\" is empty"},
      {[](Workload& w) { w.mutable_axes(0)->set_value(-1); },
       "error $.axes.batch: is -1, give a value of at least 0"},
      {[](Workload& w) { w.clear_axes(); },
       "error $.axes.batch: is missing, give the axis a value"},
      {[](Workload& w) { *w.add_axes() = w.axes(0); },
       "error $.axes.batch: is given twice"},
      {[](Workload& w) { w.add_axes()->set_name("rows"); },
       "error $.axes.rows: unknown axis \"rows\", use one of: batch"},
      {[](Workload& w) {
         w.add_axes()->set_name("hidden");
         w.mutable_axes(1)->set_value(17);
       },
       "error $.axes.hidden: is 17, the definition fixes it to 16"},
      {[](Workload& w) { w.mutable_axes(0)->set_value(int64_t{1} << 60); },
       "error $.axes: \"x\" with batch=1152921504606846976, "},
      {[](Workload& w) { w.mutable_inputs()->RemoveLast(); },
       "error $.inputs.factor: is missing, say what the input is"},
      {[](Workload& w) {
         w.add_inputs()->set_name("z");
         w.mutable_inputs(2)->mutable_random();
       },
       "error $.inputs.z: unknown input \"z\", use one of: x, factor"},
      {[](Workload& w) { *w.add_inputs() = w.inputs(0); },
       "error $.inputs.x: is given twice"},
      {[](Workload& w) { w.mutable_inputs(0)->clear_kind(); },
       "error $.inputs.x.type: is not set"},
      {[](Workload& w) { w.mutable_inputs(1)->mutable_random(); },
       "error $.inputs.factor: is a scalar and cannot be random"},
      {[](Workload& w) {
         w.mutable_inputs(0)->mutable_scalar()->set_int_value(1);
       },
       "error $.inputs.x: is a tensor of shape [batch, hidden], not a scalar"},
      {[](Workload& w) {
         v1::SafetensorsInput& file =
             *w.mutable_inputs(1)->mutable_safetensors();
         file.set_path("a");
         file.set_tensor_key("a");
       },
       "error $.inputs.factor: is a scalar and does not come from a file"},
      {[](Workload& w) { SetFile(w, "/data/x.safetensors", "x"); },
       "error $.inputs.x.path: \"/data/x.safetensors\" is an absolute path"},
      {[](Workload& w) { SetFile(w, "blob/../../x", "x"); },
       "error $.inputs.x.path: \"blob/../../x\" has a \".\" or \"..\" part"},
      {[](Workload& w) { SetFile(w, "blob/x", ""); },
       "error $.inputs.x.tensor_key: is empty"},
  };
  for (const auto& c : kCases) {
    Workload workload = ScaleWorkload();
    c.change(workload);
    EXPECT_THAT(ValidateWorkload(workload, ScaleDefinition()),
                OnlyProblem(c.problem));
  }
}

v1::ScalarInput Int(int64_t value) {
  v1::ScalarInput scalar;
  scalar.set_int_value(value);
  return scalar;
}
v1::ScalarInput Float(double value) {
  v1::ScalarInput scalar;
  scalar.set_float_value(value);
  return scalar;
}
v1::ScalarInput Bool(bool value) {
  v1::ScalarInput scalar;
  scalar.set_bool_value(value);
  return scalar;
}

std::vector<Problem> ValidateScalar(v1::DType dtype,
                                    const v1::ScalarInput& scalar) {
  v1::Definition definition = ScaleDefinition();
  definition.mutable_inputs(1)->set_dtype(dtype);
  Workload workload = ScaleWorkload();
  *workload.mutable_inputs(1)->mutable_scalar() = scalar;
  return ValidateWorkload(workload, definition);
}

TEST(ValidateWorkloadTest, ScalarsThatFit) {
  const struct {
    v1::DType dtype;
    v1::ScalarInput scalar;
  } kCases[] = {
      {v1::DTYPE_INT8, Int(-128)},
      {v1::DTYPE_UINT8, Int(255)},
      {v1::DTYPE_INT16, Int(32767)},
      {v1::DTYPE_INT32, Int(-2147483648)},
      {v1::DTYPE_INT64, Int(INT64_MAX)},
      {v1::DTYPE_BOOL, Bool(true)},
      {v1::DTYPE_FLOAT16, Float(65504)},
      {v1::DTYPE_FLOAT16, Int(65504)},
      {v1::DTYPE_FLOAT64, Float(1e308)},
      {v1::DTYPE_FLOAT32, Float(NAN)},
      {v1::DTYPE_FLOAT8_E4M3FN, Float(-448)},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(Texts(ValidateScalar(c.dtype, c.scalar)), IsEmpty())
        << v1::DType_Name(c.dtype);
  }
}

TEST(ValidateWorkloadTest, ScalarsThatDoNotFit) {
  const struct {
    v1::DType dtype;
    v1::ScalarInput scalar;
    const char* problem;
  } kCases[] = {
      {v1::DTYPE_INT8, Int(128),
       "128 is out of the range of int8, which is -128 to 127"},
      {v1::DTYPE_UINT8, Int(-1), "-1 is out of the range of uint8"},
      {v1::DTYPE_INT16, Int(32768), "out of the range of int16"},
      {v1::DTYPE_INT32, Int(2147483648), "out of the range of int32"},
      {v1::DTYPE_INT32, Float(1),
       "1 does not fit the dtype int32, give an "
       "integer"},
      {v1::DTYPE_INT32, Bool(true), "true does not fit the dtype int32"},
      {v1::DTYPE_BOOL, Int(1), "1 does not fit the dtype bool, give true or"},
      {v1::DTYPE_BOOL, Float(0), "does not fit the dtype bool"},
      {v1::DTYPE_FLOAT32, Bool(false), "false does not fit the dtype float32"},
      {v1::DTYPE_FLOAT32, Float(1e39), "out of the range of float32"},
      {v1::DTYPE_FLOAT16, Int(65536), "out of the range of float16"},
      {v1::DTYPE_FLOAT4_E2M1FN_X2, Float(7), "whose largest value is 6"},
      {v1::DTYPE_FLOAT32, v1::ScalarInput(), "has no value"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(ValidateScalar(c.dtype, c.scalar), OnlyProblem(c.problem))
        << v1::DType_Name(c.dtype);
  }
}

TEST(ValidateWorkloadTest, AZeroDimensionalTensorMayBeAScalar) {
  v1::Definition definition = ScaleDefinition();
  definition.mutable_inputs(1)->set_is_scalar(false);
  EXPECT_THAT(Texts(ValidateWorkload(ScaleWorkload(), definition)), IsEmpty());
}

}  // namespace
}  // namespace assay
