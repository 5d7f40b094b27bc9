#include <functional>
#include <string>

#include "schema/schema_testing.h"
#include "schema/validate.h"
#include "schema/validate_testing.h"

namespace assay {
namespace {

using testing::IsEmpty;

using Solution = v1::Solution;

v1::Solution PythonSolution(const std::string& code) {
  Solution solution = ScaleSolution();
  v1::BuildSpec& spec = *solution.mutable_spec();
  spec.set_language(v1::BuildSpec::PYTHON);
  spec.clear_binding();
  spec.set_entry_point("main.py::run");
  solution.mutable_sources(0)->set_path("main.py");
  solution.mutable_sources(0)->set_content(code);
  return solution;
}

TEST(ValidateSolutionTest, GoodOnesHaveNoProblems) {
  EXPECT_THAT(Texts(ValidateSolution(ScaleSolution())), IsEmpty());
  EXPECT_THAT(Texts(ValidateSolution(PythonSolution("x = 1"))), IsEmpty());
}

TEST(ValidateSolutionTest, EachFaultIsNamed) {
  const struct {
    std::function<void(Solution&)> change;
    const char* problem;
  } kCases[] = {
      {[](Solution& s) { s.set_name("a b"); },
       "error $.name: \"a b\" may only"},
      {[](Solution& s) { s.set_definition(""); },
       "error $.definition: \"\" is empty"},
      {[](Solution& s) { s.set_author(""); }, "error $.author: \"\" is empty"},
      {[](Solution& s) { s.set_name("assay-lint-x"); },
       "error $.name: \"assay-lint-x\" begins with \"assay-lint-\", which is "
       "kept for"},
      {[](Solution& s) { s.set_author("assay-lint"); },
       "error $.author: is \"assay-lint\", which is kept for"},
      {[](Solution& s) { s.set_author("a/b"); },
       "error $.author: \"a/b\" contains a slash"},
      {[](Solution& s) { s.set_author(".."); },
       "error $.author: \"..\" starts with \".\""},
      {[](Solution& s) { s.set_author("a\nb"); },
       "error $.author: \"a\\nb\" contains a control character"},
      {[](Solution& s) { s.mutable_spec()->clear_language(); },
       "error $.spec.language: is not set"},
      {[](Solution& s) { s.mutable_spec()->clear_target_hardware(); },
       "error $.spec.target_hardware: is empty, name where"},
      {[](Solution& s) { s.mutable_spec()->add_target_hardware(""); },
       "error $.spec.target_hardware[1]: \"\" is empty"},
      {[](Solution& s) { s.mutable_spec()->add_dependencies(""); },
       "error $.spec.dependencies[0]: \"\" is empty"},
      {[](Solution& s) { s.mutable_spec()->add_compile_options("-O3\n"); },
       "error $.spec.compile_options[0]"},
      {[](Solution& s) {
         s.mutable_spec()->set_destination_passing_style(false);
       },
       "error $.spec.destination_passing_style: is false, the binding \"c\""},
      {[](Solution& s) { s.mutable_spec()->set_entry_point("kernel.cpp"); },
       "error $.spec.entry_point: \"kernel.cpp\" is not of the form "
       "\"file::symbol\", e.g. \"kernel.cpp::run\""},
      {[](Solution& s) { s.mutable_spec()->set_entry_point("::scale"); },
       "is not of the form"},
      {[](Solution& s) { s.mutable_spec()->set_entry_point("kernel.cpp::"); },
       "is not of the form"},
      {[](Solution& s) {
         s.mutable_spec()->set_entry_point("kernel.cpp::a b");
       },
       "error $.spec.entry_point: symbol \"a b\" is no identifier"},
      {[](Solution& s) {
         s.mutable_spec()->set_entry_point("other.cpp::scale");
       },
       "error $.spec.entry_point: file \"other.cpp\" is not among the sources, "
       "add it or use one of: kernel.cpp"},
      {[](Solution& s) {
         s.mutable_sources(0)->set_path("kernel.py");
         s.mutable_spec()->set_entry_point("kernel.py::scale");
       },
       "error $.spec.entry_point: file \"kernel.py\" does not fit the language "
       "\"cpp\", use one of: .cpp, .cc, .cxx, .c"},
      {[](Solution& s) {
         s.add_sources()->set_path("../kernel.h");
         s.mutable_sources(1)->set_content("x");
       },
       "error $.sources[1].path: \"../kernel.h\" has a \".\" or \"..\" part"},
      {[](Solution& s) {
         s.add_sources()->set_path("/etc/passwd");
         s.mutable_sources(1)->set_content("x");
       },
       "error $.sources[1].path: \"/etc/passwd\" is an absolute path"},
      {[](Solution& s) {
         s.add_sources()->set_path(std::string("a\0.h", 4));
         s.mutable_sources(1)->set_content("x");
       },
       "contains a control character"},
      {[](Solution& s) { *s.add_sources() = s.sources(0); },
       "error $.sources[1].path: \"kernel.cpp\" is given twice"},
      {[](Solution& s) {
         s.add_sources()->set_path("kernel.cpp/a.h");
         s.mutable_sources(1)->set_content("x");
       },
       "error $.sources: \"kernel.cpp\" is a file and the folder of "
       "\"kernel.cpp/a.h\""},
      {[](Solution& s) { s.add_sources()->set_path("empty.h"); },
       "warning $.sources[1].content: of \"empty.h\" is empty"},
      {[](Solution& s) {
         s.mutable_sources(0)->set_content(std::string("a\0b", 3));
       },
       "error $.sources[0].content: contains a NUL"},
      {[](Solution& s) {
         s.mutable_sources(0)->set_content(
             std::string((size_t{16} << 20) + 1, 'x'));
       },
       "error $.sources: has 16777217 bytes in all, use at most 16777216"},
  };
  for (const auto& c : kCases) {
    Solution solution = ScaleSolution();
    c.change(solution);
    EXPECT_THAT(ValidateSolution(solution), OnlyProblem(c.problem));
  }
}

TEST(ValidateSolutionTest, NoSourcesAtAll) {
  Solution solution = ScaleSolution();
  solution.clear_sources();
  EXPECT_THAT(Texts(ValidateSolution(solution)),
              testing::Contains(testing::HasSubstr(
                  "error $.sources: is empty, add at least one file")));
}

TEST(ValidateSolutionTest, AnEmptyEntryFileIsAnError) {
  Solution solution = ScaleSolution();
  solution.mutable_sources(0)->clear_content();
  EXPECT_THAT(Texts(ValidateSolution(solution)),
              testing::Contains(testing::HasSubstr(
                  "error $.spec.entry_point: file \"kernel.cpp\" is empty")));
}

TEST(ValidateSolutionTest, PythonIgnoresABinding) {
  Solution solution = PythonSolution("x = 1");
  solution.mutable_spec()->set_binding(v1::BuildSpec::TVM_FFI);
  EXPECT_THAT(ValidateSolution(solution),
              OnlyProblem("warning $.spec.binding: is ignored for the "
                          "language \"python\""));
}

TEST(ValidateSolutionTest, CudaMayEnterThroughCpp) {
  Solution solution = ScaleSolution();
  solution.mutable_spec()->set_language(v1::BuildSpec::CUDA);
  EXPECT_THAT(Texts(ValidateSolution(solution)), IsEmpty());
}

TEST(ValidateSolutionForTest, TheRightDefinition) {
  EXPECT_THAT(Texts(ValidateSolutionFor(ScaleSolution(), ScaleDefinition())),
              IsEmpty());
}

TEST(ValidateSolutionForTest, AnotherDefinition) {
  Solution solution = ScaleSolution();
  solution.set_definition("rmsnorm");
  EXPECT_THAT(ValidateSolutionFor(solution, ScaleDefinition()),
              OnlyProblem("error $.definition: \"rmsnorm\" is not the "
                          "definition \"scale\""));
}

TEST(ValidateSolutionForTest, WrongArityShowsTheSignatureWanted) {
  EXPECT_THAT(
      ValidateSolutionFor(PythonSolution("def run(x, factor): pass"),
                          ScaleDefinition()),
      OnlyProblem("error $.spec.entry_point: \"run\" in \"main.py\" takes 2 "
                  "parameters, the definition \"scale\" wants 3: def run(x, "
                  "factor, y)"));
}

TEST(ValidateSolutionForTest, ReturningStyleTakesInputsAlone) {
  Solution solution = PythonSolution("def run(x, factor): pass");
  solution.mutable_spec()->set_destination_passing_style(false);
  EXPECT_THAT(Texts(ValidateSolutionFor(solution, ScaleDefinition())),
              IsEmpty());
  solution = PythonSolution("def run(x, factor, y): pass");
  solution.mutable_spec()->set_destination_passing_style(false);
  EXPECT_THAT(ValidateSolutionFor(solution, ScaleDefinition()),
              OnlyProblem("wants 2: def run(x, factor)"));
}

TEST(ValidateSolutionForTest, NothingIsConcludedWhereTheScanIsUnsure) {
  for (const char* code : {"from kernels import run\n", "run = compile(f)\n",
                           "s = 'open\n", "def run(*args): pass\n"}) {
    EXPECT_THAT(
        Texts(ValidateSolutionFor(PythonSolution(code), ScaleDefinition())),
        IsEmpty())
        << code;
  }
}

TEST(ValidateSolutionForTest, AScalarOutputOfACFunctionIsPointedOut) {
  v1::Definition definition = ScaleDefinition();
  definition.mutable_outputs(0)->clear_shape();
  definition.mutable_outputs(0)->set_is_scalar(true);
  EXPECT_THAT(ValidateSolutionFor(ScaleSolution(), definition),
              OnlyProblem("warning $.spec.binding: the scalar output \"y\""));
}

}  // namespace
}  // namespace assay
