#include <functional>
#include <string>

#include "schema/schema_testing.h"
#include "schema/validate.h"
#include "schema/validate_testing.h"

namespace assay {
namespace {

using testing::IsEmpty;

using Definition = v1::Definition;

TEST(ValidateDefinitionTest, AGoodOneHasNoProblems) {
  EXPECT_THAT(Texts(ValidateDefinition(ScaleDefinition())), IsEmpty());
}

TEST(ValidateDefinitionTest, AVarAxisNeedsNoTensor) {
  Definition definition = ScaleDefinition();
  v1::Axis& axis = *definition.add_axes();
  axis.set_name("steps");
  axis.set_kind(v1::Axis::VAR);
  EXPECT_THAT(Texts(ValidateDefinition(definition)), IsEmpty());
}

TEST(ValidateDefinitionTest, EachFaultIsNamed) {
  const struct {
    std::function<void(Definition&)> change;
    const char* problem;
  } kCases[] = {
      {[](Definition& d) { d.set_name(""); },
       "error $.name: \"\" is empty, give it a value"},
      {[](Definition& d) { d.set_name("a/b"); },
       "error $.name: \"a/b\" may only have letters"},
      {[](Definition& d) { d.set_name("../x"); },
       "error $.name: \"../x\" starts with \".\""},
      {[](Definition& d) { d.set_name(std::string(201, 'a')); },
       "is longer than 200 bytes"},
      {[](Definition& d) { d.set_op_type("a b"); },
       "error $.op_type: \"a b\" may only have letters"},
      {[](Definition& d) { d.mutable_axes(1)->set_value(0); },
       "error $.axes.hidden.value: is 0, a const axis has a value of at "
       "least 1"},
      {[](Definition& d) { d.mutable_axes(1)->set_value(-3); },
       "error $.axes.hidden.value: is -3"},
      {[](Definition& d) {
         d.mutable_axes(1)->set_kind(v1::Axis::KIND_UNSPECIFIED);
       },
       "error $.axes.hidden.type: is not set"},
      {[](Definition& d) {
         d.add_axes()->set_name("2d");
         d.mutable_axes(2)->set_kind(v1::Axis::VAR);
       },
       "error $.axes.2d: \"2d\" is no Python identifier"},
      {[](Definition& d) { *d.add_axes() = d.axes(0); },
       "error $.axes.batch: is declared twice"},
      {[](Definition& d) { d.mutable_axes(0)->set_parent("rows"); },
       "warning $.axes.batch.parent: unknown axis \"rows\""},
      {[](Definition& d) { d.mutable_inputs(0)->set_shape(1, "hiden"); },
       "error $.inputs.x.shape[1]: unknown axis \"hiden\", declare it in "
       "\"axes\" or use one of: batch, hidden"},
      {[](Definition& d) { d.mutable_outputs(0)->set_name("x"); },
       "error $.outputs.x: is also one of \"inputs\""},
      {[](Definition& d) { d.mutable_outputs(0)->set_name("lambda"); },
       "error $.outputs.lambda: \"lambda\" is a Python keyword"},
      {[](Definition& d) { d.mutable_outputs(0)->set_name("y-1"); },
       "error $.outputs.y-1: \"y-1\" is no Python identifier"},
      {[](Definition& d) { d.clear_outputs(); },
       "error $.outputs: is empty, describe at least one tensor"},
      {[](Definition& d) { d.mutable_inputs(0)->clear_dtype(); },
       "error $.inputs.x.dtype: is not set"},
      {[](Definition& d) { d.mutable_inputs(1)->add_shape("batch"); },
       "error $.inputs.factor.shape: is given for a scalar"},
      {[](Definition& d) {
         for (int i = 0; i < 63; ++i) d.mutable_inputs(0)->add_shape("batch");
       },
       "error $.inputs.x.shape: has 65 dimensions, use at most 64"},
      {[](Definition& d) { d.set_reference(" \n"); },
       "error $.reference: is empty"},
      {[](Definition& d) { d.set_reference("def go(x, factor): pass"); },
       "error $.reference: defines no function \"run\" at the top level, add "
       "\"def run(x, factor):\""},
      {[](Definition& d) { d.set_reference("def run(x): pass"); },
       "error $.reference: \"run\" takes 1 parameters for 2 inputs, write "
       "\"def run(x, factor):\""},
      {[](Definition& d) { d.set_reference("def run(x, factor, y): pass"); },
       "error $.reference: \"run\" takes 3 parameters for 2 inputs"},
      {[](Definition& d) { d.set_reference("def run(x, f): pass"); },
       "warning $.reference: parameter 2 of \"run\" is \"f\" and gets the "
       "input \"factor\""},
      {[](Definition& d) { d.set_reference("def run(x, factor: pass"); },
       "warning $.reference: brackets or quotes do not pair up"},
      {[](Definition& d) { d.add_tags(""); }, "error $.tags[0]: is empty"},
      {[](Definition& d) { d.add_constraints(" "); },
       "error $.constraints[0]: is empty"},
      {[](Definition& d) { d.add_constraints("(batch > 0"); },
       "error $.constraints[0]: \"(batch > 0\" is no Python expression"},
  };
  for (const auto& c : kCases) {
    Definition definition = ScaleDefinition();
    c.change(definition);
    EXPECT_THAT(ValidateDefinition(definition), OnlyProblem(c.problem));
  }
}

TEST(ValidateDefinitionTest, ReferencesThatTakeEnough) {
  for (const char* reference :
       {"def run(*args): pass", "def run(x, *rest): pass",
        "def run(x, factor, scale=1): pass",
        "def run(x, factor, **kw): pass"}) {
    Definition definition = ScaleDefinition();
    definition.set_reference(reference);
    EXPECT_THAT(Texts(ValidateDefinition(definition)), IsEmpty()) << reference;
  }
}

TEST(ValidateDefinitionTest, AllFaultsAreReported) {
  EXPECT_THAT(ValidateDefinition(Definition()), testing::SizeIs(5));
}

}  // namespace
}  // namespace assay
