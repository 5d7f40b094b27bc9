#include "client/lint_probes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schema/validate.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

v1::TensorSpec Tensor(const std::string& name, v1::DType dtype,
                      const std::vector<std::string>& shape) {
  v1::TensorSpec spec;
  spec.set_name(name);
  spec.set_dtype(dtype);
  for (const std::string& axis : shape) spec.add_shape(axis);
  return spec;
}

// x and w go in; y, like x, and the norms come out.
v1::Definition Definition() {
  v1::Definition definition;
  definition.set_name("norm");
  *definition.add_inputs() = Tensor("x", v1::DTYPE_FLOAT32, {"n", "d"});
  *definition.add_inputs() = Tensor("w", v1::DTYPE_FLOAT32, {"d"});
  *definition.add_outputs() = Tensor("y", v1::DTYPE_FLOAT32, {"n", "d"});
  *definition.add_outputs() = Tensor("norms", v1::DTYPE_FLOAT32, {"n"});
  definition.set_reference("def run(x, w):\n    return x * w, x.norm(dim=1)\n");
  return definition;
}

std::vector<std::string> Words(const std::vector<Probe>& probes) {
  std::vector<std::string> words;
  for (const Probe& probe : probes) {
    words.push_back(probe.output + ": " + probe.kind);
  }
  return words;
}

TEST(LintProbesTest, EachOutputIsProbedByItself) {
  EXPECT_THAT(Words(ProbesFor(Definition())),
              ElementsAre("y: zeros", "y: ones", "y: constant", "y: copy of x",
                          "norms: zeros", "norms: ones", "norms: constant"));
}

TEST(LintProbesTest, OnlyInputsOfTheSameShapeAndDtypeAreCopied) {
  v1::Definition definition = Definition();
  definition.mutable_inputs(0)->set_dtype(v1::DTYPE_FLOAT16);
  definition.mutable_outputs()->RemoveLast();
  EXPECT_THAT(Words(ProbesFor(definition)),
              ElementsAre("y: zeros", "y: ones", "y: constant"));
  definition.mutable_inputs(1)->add_shape("n");
  std::swap(*definition.mutable_inputs(1)->mutable_shape(0),
            *definition.mutable_inputs(1)->mutable_shape(1));
  EXPECT_THAT(
      Words(ProbesFor(definition)),
      ElementsAre("y: zeros", "y: ones", "y: constant", "y: copy of w"));
}

TEST(LintProbesTest, PairsOfFourBitValuesHaveNoMean) {
  v1::Definition definition = Definition();
  definition.mutable_outputs()->RemoveLast();
  definition.mutable_outputs(0)->set_dtype(v1::DTYPE_FLOAT4_E2M1FN_X2);
  EXPECT_THAT(Words(ProbesFor(definition)), ElementsAre("y: zeros", "y: ones"));
}

TEST(LintProbesTest, SolutionsAreValidAndHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  const v1::Definition definition = Definition();
  for (const Probe& probe : ProbesFor(definition)) {
    EXPECT_THAT(ValidateSolution(probe.solution), IsEmpty());
    EXPECT_THAT(ValidateSolutionFor(probe.solution, definition), IsEmpty());
    EXPECT_TRUE(names.insert(probe.solution.name()).second);
  }
  v1::Definition other = definition;
  other.set_name("norm2");
  for (const Probe& probe : ProbesFor(other)) {
    EXPECT_TRUE(names.insert(probe.solution.name()).second);
  }
}

TEST(LintProbesTest, SourceKnowsWhatToSpoil) {
  const std::vector<Probe> probes = ProbesFor(Definition());
  const std::string& copy = probes[3].solution.sources(0).content();
  EXPECT_THAT(copy, HasSubstr("\nINPUTS = 2\nOUTPUTS = [\"y\", \"norms\"]\n"
                              "WRONG = 0\nKIND = \"copy\"\nSOURCE = 0\n"));
  EXPECT_THAT(probes[4].solution.sources(0).content(),
              HasSubstr("\nWRONG = 1\nKIND = \"zeros\"\n"));
  EXPECT_EQ(probes[0].solution.sources(1).content(), Definition().reference());
}

}  // namespace
}  // namespace assay
