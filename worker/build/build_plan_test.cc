#include "worker/build/build_plan.h"

#include <gmock/gmock.h>

#include <string>

#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/solution.pb.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

v1::Definition ScaleDefinition() {
  v1::Definition definition;
  definition.set_name("scale");
  v1::TensorSpec& x = *definition.add_inputs();
  x.set_name("x");
  x.add_shape("n");
  x.set_dtype(v1::DTYPE_FLOAT32);
  *definition.add_outputs() = x;
  definition.mutable_outputs(0)->set_name("y");
  return definition;
}

v1::Solution CSolution() {
  v1::Solution solution;
  solution.mutable_spec()->set_language(v1::BuildSpec::CPP);
  solution.mutable_spec()->set_binding(v1::BuildSpec::C);
  solution.mutable_spec()->set_entry_point("kernel.cpp::scale");
  solution.mutable_spec()->set_destination_passing_style(true);
  solution.add_sources()->set_path("kernel.cpp");
  return solution;
}

TEST(BuildPlanTest, TheGeneratedUnitStandsForTheEntryFile) {
  v1::Solution solution = CSolution();
  solution.add_sources()->set_path("util.h");
  solution.add_sources()->set_path("sub/other.cc");
  ASSERT_OK_AND_ASSIGN(const BuildPlan plan,
                       PlanBuild(ScaleDefinition(), solution));
  EXPECT_THAT(plan.units, ElementsAre("sub/other.cc", "assay_c_binding.cc"));
  EXPECT_EQ(plan.files.size(), 4u);
  EXPECT_EQ(plan.exported_symbol, "assay_c_entry");
}

TEST(BuildPlanTest, TheGeneratedUnitAvoidsTheNamesOfSources) {
  v1::Solution solution = CSolution();
  solution.add_sources()->set_path("assay_c_binding.cc");
  ASSERT_OK_AND_ASSIGN(const BuildPlan plan,
                       PlanBuild(ScaleDefinition(), solution));
  EXPECT_EQ(plan.generated_unit, "_assay_c_binding.cc");
}

TEST(BuildPlanTest, TvmFfiCompilesTheEntryFileItself) {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->clear_binding();
  ASSERT_OK_AND_ASSIGN(const BuildPlan plan,
                       PlanBuild(ScaleDefinition(), solution));
  EXPECT_THAT(plan.units, ElementsAre("kernel.cpp"));
  EXPECT_EQ(plan.binding, v1::BuildSpec::TVM_FFI);
  EXPECT_EQ(plan.exported_symbol, "__tvm_ffi_scale");
}

TEST(BuildPlanTest, RefusesPathsThatLeadOutside) {
  for (const char* path : {"/etc/cron.d/x", "../x", "a/../../x", "a//b", ""}) {
    v1::Solution solution = CSolution();
    solution.add_sources()->set_path(path);
    EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
                StatusIs(kInvalid, testing::_))
        << path;
  }
}

TEST(BuildPlanTest, RefusesAPathWithNul) {
  v1::Solution solution = CSolution();
  solution.add_sources()->set_path(std::string("a\0b", 3));
  EXPECT_FALSE(PlanBuild(ScaleDefinition(), solution).ok());
}

TEST(BuildPlanTest, RefusesASourceGivenTwice) {
  v1::Solution solution = CSolution();
  solution.add_sources()->set_path("kernel.cpp");
  EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
              StatusIs(kInvalid, HasSubstr("\"kernel.cpp\" is given twice")));
}

TEST(BuildPlanTest, RefusesAUnitThatACompilerTakesForAFileOfOptions) {
  for (const char* path : {"@opts.cpp", "sub/@opts.cc"}) {
    v1::Solution solution = CSolution();
    solution.add_sources()->set_path(path);
    EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
                StatusIs(kInvalid, HasSubstr("rename it")));
  }
}

TEST(BuildPlanTest, AllowsAtSignsElsewhere) {
  v1::Solution solution = CSolution();
  for (const char* path : {"@value.h", "@sub/a.cc", "b@.cc"}) {
    solution.add_sources()->set_path(path);
  }
  EXPECT_OK(PlanBuild(ScaleDefinition(), solution));
}

TEST(BuildPlanTest, RefusesASourceThatIsAlsoAFolder) {
  v1::Solution solution = CSolution();
  solution.add_sources()->set_path("a/b");
  solution.add_sources()->set_path("a/b/c.h");
  EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
              StatusIs(kInvalid, HasSubstr("\"a/b\" is a file and the folder "
                                           "of \"a/b/c.h\"")));
}

TEST(BuildPlanTest, RefusesAnEntryFileThatIsNotASource) {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->set_entry_point("other.cpp::scale");
  EXPECT_THAT(
      PlanBuild(ScaleDefinition(), solution),
      StatusIs(kInvalid, HasSubstr("\"other.cpp::scale\" names a file that")));
}

TEST(BuildPlanTest, RefusesSymbolsThatAreNotPlainNames) {
  for (const char* entry :
       {"kernel.cpp", "kernel.cpp::", "kernel.cpp::a b", "kernel.cpp::1a",
        "kernel.cpp::a);}", "kernel.cpp::ns::scale", ""}) {
    v1::Solution solution = CSolution();
    solution.mutable_spec()->set_entry_point(entry);
    EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
                StatusIs(kInvalid, HasSubstr("file::symbol")))
        << entry;
  }
}

TEST(BuildPlanTest, RefusesAnEntryFileThatIsNotCpp) {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->set_entry_point("kernel.cu::scale");
  solution.mutable_sources(0)->set_path("kernel.cu");
  EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
              StatusIs(kInvalid, HasSubstr("\"kernel.cu\" must end in .cpp")));
}

TEST(BuildPlanTest, RefusesUnknownDependencies) {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->add_dependencies("cublas");
  EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
              StatusIs(kInvalid, HasSubstr("\"cublas\" is not known")));
}

TEST(BuildPlanTest, RefusesOptionsThatAreNotAllowed) {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->add_compile_options("-O2");
  solution.mutable_spec()->add_compile_options("-fplugin=x.so");
  EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
              StatusIs(kInvalid, HasSubstr("\"-fplugin=x.so\" is not allow")));
}

TEST(BuildPlanTest, RefusesReturningStyleForBindingC) {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->set_destination_passing_style(false);
  EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
              StatusIs(kInvalid, HasSubstr("destination_passing_style")));
}

v1::Solution CudaSolution() {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->set_language(v1::BuildSpec::CUDA);
  solution.mutable_spec()->set_entry_point("kernel.cu::scale");
  solution.mutable_sources(0)->set_path("kernel.cu");
  return solution;
}

TEST(BuildPlanTest, CudaCompilesDeviceAndHostCode) {
  v1::Solution solution = CudaSolution();
  for (const char* path : {"a.cuh", "b.cu", "c.cpp", "d.h"}) {
    solution.add_sources()->set_path(path);
  }
  ASSERT_OK_AND_ASSIGN(const BuildPlan plan,
                       PlanBuild(ScaleDefinition(), solution));
  EXPECT_THAT(plan.units, ElementsAre("b.cu", "c.cpp", "assay_c_binding.cu"));
}

TEST(BuildPlanTest, CudaHasOptionsAndDependenciesOfItsOwn) {
  v1::Solution solution = CudaSolution();
  solution.mutable_spec()->add_compile_options("--use_fast_math");
  solution.mutable_spec()->add_dependencies("cublas");
  ASSERT_OK_AND_ASSIGN(const BuildPlan plan,
                       PlanBuild(ScaleDefinition(), solution));
  EXPECT_THAT(plan.options, ElementsAre("--use_fast_math"));
  EXPECT_THAT(plan.dependencies, ElementsAre("cublas"));
}

TEST(BuildPlanTest, RefusesOptionsAndDependenciesThatCudaLacks) {
  v1::Solution solution = CudaSolution();
  solution.mutable_spec()->add_compile_options("-march=native");
  EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
              StatusIs(kInvalid, HasSubstr("allowed for language cuda are")));
  solution.mutable_spec()->clear_compile_options();
  solution.mutable_spec()->add_dependencies("numpy");
  EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
              StatusIs(kInvalid, HasSubstr("known are cublas")));
}

TEST(BuildPlanTest, RefusesAnEntryFileThatIsNotCuda) {
  v1::Solution solution = CudaSolution();
  solution.mutable_spec()->set_entry_point("kernel.cuh::scale");
  solution.mutable_sources(0)->set_path("kernel.cuh");
  EXPECT_THAT(PlanBuild(ScaleDefinition(), solution),
              StatusIs(kInvalid, HasSubstr("must end in .cu, .cpp")));
}

TEST(BuildPlanTest, TorchExportsAModule) {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->set_binding(v1::BuildSpec::TORCH);
  solution.mutable_spec()->add_dependencies("torch");
  ASSERT_OK_AND_ASSIGN(const BuildPlan plan,
                       PlanBuild(ScaleDefinition(), solution));
  EXPECT_EQ(plan.exported_symbol, "PyInit_assay_torch_extension");
  EXPECT_THAT(plan.dependencies, testing::IsEmpty());
}

BuildPlan ScalePlan() {
  auto plan = PlanBuild(ScaleDefinition(), CSolution());
  EXPECT_OK(plan);
  return plan.ok() ? *std::move(plan) : BuildPlan();
}

constexpr char kAdvice[] =
    "\nassay: entry point \"scale\" must be: int scale(const DLTensor* x, "
    "DLTensor* y, void* stream)\n";

TEST(ExplainFailureTest, AdvisesWhenTheGeneratedUnitFails) {
  EXPECT_THAT(ExplainFailure(ScalePlan(),
                             "./assay_c_binding.cc:14:1: error: static assert"),
              EndsWith(kAdvice));
}

TEST(ExplainFailureTest, AdvisesWhenTheSymbolIsUndefined) {
  EXPECT_THAT(
      ExplainFailure(ScalePlan(), "ld: undefined reference to `scale'\n"),
      EndsWith(kAdvice));
}

TEST(ExplainFailureTest, LeavesOtherFailuresAlone) {
  const std::string log =
      "In file included from ./assay_c_binding.cc:1:\n"
      "kernel.cpp:3:1: error: expected ';' before '}'\n";
  EXPECT_EQ(ExplainFailure(ScalePlan(), log), log);
}

TEST(ExplainFailureTest, ReadsWhatTheCompilerOfCudaSays) {
  ASSERT_OK_AND_ASSIGN(const BuildPlan plan,
                       PlanBuild(ScaleDefinition(), CudaSolution()));
  EXPECT_THAT(ExplainFailure(plan,
                             "./assay_c_binding.cu(14): error: static "
                             "assertion failed with \"...\"\n"),
              EndsWith(kAdvice));
  const std::string other = "./kernel.cu(3): error: expected a \";\"\n";
  EXPECT_EQ(ExplainFailure(plan, other), other);
}

TEST(ExplainFailureTest, NamesTheMacroForTvmFfi) {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->set_binding(v1::BuildSpec::TVM_FFI);
  ASSERT_OK_AND_ASSIGN(const BuildPlan plan,
                       PlanBuild(ScaleDefinition(), solution));
  EXPECT_THAT(
      ExplainFailure(plan, "ld: required symbol `__tvm_ffi_scale' not defined"),
      testing::AllOf(
          HasSubstr("void scale(tvm::ffi::TensorView x, tvm::ffi::TensorView"),
          HasSubstr("TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, ...)")));
}

}  // namespace
}  // namespace assay
