#include "schema/shape.h"

#include "absl/strings/str_cat.h"
#include "assay/v1/definition.pb.h"
#include "base/status_testing.h"
#include "schema/schema_testing.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(ResolveCaseTest, GivesDimensionsAndBytesInCallOrder) {
  ASSERT_OK_AND_ASSIGN(const ResolvedCase sizes,
                       ResolveCase(ScaleDefinition(), ScaleWorkload()));
  ASSERT_THAT(sizes.inputs, SizeIs(2));
  EXPECT_EQ(sizes.inputs[0].name, "x");
  EXPECT_EQ(sizes.inputs[0].dtype, v1::DTYPE_FLOAT32);
  EXPECT_THAT(sizes.inputs[0].dims, ElementsAre(4, 16));
  EXPECT_EQ(sizes.inputs[0].bytes, 256);
  EXPECT_TRUE(sizes.inputs[1].is_scalar);
  EXPECT_THAT(sizes.inputs[1].dims, IsEmpty());
  EXPECT_EQ(sizes.inputs[1].bytes, 4);
  EXPECT_EQ(sizes.input_bytes, 260);
  EXPECT_EQ(sizes.output_bytes, 256);
}

TEST(ResolveCaseTest, AnEmptyAxisMakesAnEmptyTensor) {
  v1::Workload workload = ScaleWorkload();
  workload.mutable_axes(0)->set_value(0);
  ASSERT_OK_AND_ASSIGN(const ResolvedCase sizes,
                       ResolveCase(ScaleDefinition(), workload));
  EXPECT_THAT(sizes.inputs[0].dims, ElementsAre(0, 16));
  EXPECT_EQ(sizes.inputs[0].bytes, 0);
  EXPECT_EQ(sizes.output_bytes, 0);
}

TEST(ResolveCaseTest, AScalarOutputIsAZeroDimensionalTensor) {
  v1::Definition definition = ScaleDefinition();
  definition.mutable_outputs(0)->clear_shape();
  definition.mutable_outputs(0)->set_is_scalar(true);
  ASSERT_OK_AND_ASSIGN(const ResolvedCase sizes,
                       ResolveCase(definition, ScaleWorkload()));
  EXPECT_TRUE(sizes.outputs[0].is_scalar);
  EXPECT_THAT(sizes.outputs[0].dims, IsEmpty());
  EXPECT_EQ(sizes.output_bytes, 4);
}

TEST(ResolveCaseTest, ConstAxesKeepTheirValue) {
  v1::Workload workload = ScaleWorkload();
  v1::AxisValue& hidden = *workload.add_axes();
  hidden.set_name("hidden");
  hidden.set_value(99);
  ASSERT_OK_AND_ASSIGN(const ResolvedCase sizes,
                       ResolveCase(ScaleDefinition(), workload));
  EXPECT_THAT(sizes.inputs[0].dims, ElementsAre(4, 16));
}

TEST(ResolveCaseTest, MissingAxisIsNamed) {
  v1::Workload workload = ScaleWorkload();
  workload.clear_axes();
  EXPECT_THAT(ResolveCase(ScaleDefinition(), workload),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("axis \"batch\" of \"x\" has no value")));
}

TEST(ResolveCaseTest, NegativeAxisIsRefused) {
  v1::Workload workload = ScaleWorkload();
  workload.mutable_axes(0)->set_value(-1);
  EXPECT_THAT(ResolveCase(ScaleDefinition(), workload),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("axis \"batch\" is -1")));
}

TEST(ResolveCaseTest, TheLargestTensorThatFits) {
  v1::Definition definition = ScaleDefinition();
  definition.mutable_outputs(0)->clear_shape();
  definition.mutable_inputs(1)->set_dtype(v1::DTYPE_BOOL);
  definition.mutable_axes(1)->set_value(1);
  v1::Workload workload = ScaleWorkload();
  // Leaves 8 bytes for the two others.
  workload.mutable_axes(0)->set_value(kMaxCaseBytes / 4 - 2);
  EXPECT_OK(ResolveCase(definition, workload));
  workload.mutable_axes(0)->set_value(kMaxCaseBytes / 4 - 1);
  EXPECT_THAT(ResolveCase(definition, workload),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("the workload would need more than 128 TiB")));
}

TEST(ResolveCaseTest, SizesThatOverflowAreRefused) {
  for (const int64_t value : {int64_t{1} << 60, INT64_MAX, kMaxCaseBytes}) {
    v1::Workload workload = ScaleWorkload();
    workload.mutable_axes(0)->set_value(value);
    EXPECT_THAT(
        ResolveCase(ScaleDefinition(), workload),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 HasSubstr(absl::StrCat("\"x\" with batch=", value, ", "))))
        << value;
  }
}

TEST(ResolveCaseTest, AnEmptyAxisDoesNotHideAnOverflow) {
  v1::Definition definition = ScaleDefinition();
  definition.mutable_inputs(0)->add_shape("more");
  v1::Axis& more = *definition.add_axes();
  more.set_name("more");
  more.set_kind(v1::Axis::CONST);
  more.set_value(int64_t{1} << 62);
  v1::Workload workload = ScaleWorkload();
  workload.mutable_axes(0)->set_value(0);
  EXPECT_THAT(
      ResolveCase(definition, workload),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("128 TiB")));
}

}  // namespace
}  // namespace assay
