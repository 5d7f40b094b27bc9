#include <dlfcn.h>
#include <dlpack/dlpack.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "worker/build/builder_testing.h"
#include "worker/runner/c_entry.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr char kScale[] = R"(
#include <dlpack/dlpack.h>
extern "C" int scale(const DLTensor* x, float factor, DLTensor* y, void*) {
  for (int64_t i = 0; i < x->shape[0]; ++i) {
    static_cast<float*>(y->data)[i] =
        static_cast<const float*>(x->data)[i] * factor;
  }
  return 0;
}
)";

v1::Solution CSolution(const std::string& source = kScale) {
  v1::Solution solution;
  v1::BuildSpec& spec = *solution.mutable_spec();
  spec.set_language(v1::BuildSpec::CPP);
  spec.set_binding(v1::BuildSpec::C);
  spec.set_entry_point("kernel.cpp::scale");
  spec.set_destination_passing_style(true);
  AddSource(solution, "kernel.cpp", source);
  return solution;
}

// What the runner's call gave.
struct Called {
  int code = 0;
  std::string error;
  std::vector<float> y;
};

// Calls a built scale() with x = {1, 2, 3} and factor = 2, as the runner does.
Called CallScale(const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << dlerror();
  if (handle == nullptr) return {};
  const auto entry = reinterpret_cast<CEntry>(dlsym(handle, kCEntrySymbol));
  EXPECT_NE(entry, nullptr) << dlerror();
  if (entry == nullptr) return {};
  std::vector<float> x = {1, 2, 3};
  Called called;
  called.y.resize(3);
  int64_t shape[] = {3};
  DLTensor input = {};
  input.data = x.data();
  input.ndim = 1;
  input.shape = shape;
  DLTensor output = input;
  output.data = called.y.data();
  const float factor = 2;
  const void* args[] = {&input, &factor, &output};
  char error[16] = "old";
  called.code = entry(args, nullptr, error, sizeof(error));
  called.error = error;
  return called;
}

TEST_F(BuilderTest, BuildsAndTheResultCanBeCalled) {
  const BuildResult result = Build(CSolution());
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_FALSE(result.cached);
  const Called called = CallScale(result.library_path);
  EXPECT_EQ(called.code, 0);
  EXPECT_EQ(called.error, "");
  EXPECT_EQ(called.y, (std::vector<float>{2, 4, 6}));
}

TEST_F(BuilderTest, TheReturnCodeIsPassedOn) {
  const BuildResult result = Build(
      CSolution("#include <dlpack/dlpack.h>\n"
                "int scale(const DLTensor*, float, DLTensor*, void*) noexcept "
                "{ return 42; }"));
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_EQ(CallScale(result.library_path).code, 42);
}

TEST_F(BuilderTest, AnExceptionBecomesACodeAndItsText) {
  const BuildResult result = Build(
      CSolution("#include <dlpack/dlpack.h>\n"
                "#include <stdexcept>\n"
                "int scale(const DLTensor*, float, DLTensor*, void*) "
                "{ throw std::runtime_error(\"a very long explanation\"); }"));
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  const Called called = CallScale(result.library_path);
  EXPECT_EQ(called.code, kCEntryThrew);
  EXPECT_EQ(called.error, "a very long exp");
}

TEST_F(BuilderTest, ExceptionsCanBeSwitchedOff) {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->add_compile_options("-fno-exceptions");
  const BuildResult result = Build(solution);
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_EQ(CallScale(result.library_path).y[2], 6);
}

TEST_F(BuilderTest, FurtherUnitsAndHeadersInFoldersAreFound) {
  v1::Solution solution = CSolution(
      "#include \"lib/impl.h\"\n"
      "extern \"C\" int scale(const DLTensor* x, float f, DLTensor* y, void*) "
      "{ return Impl(x, f, y); }");
  AddSource(solution, "lib/impl.h",
            "#pragma once\n#include <dlpack/dlpack.h>\n"
            "int Impl(const DLTensor*, float, DLTensor*);");
  AddSource(solution, "lib/impl.cc",
            "#include \"impl.h\"\n#include \"lib/value.h\"\n"
            "int Impl(const DLTensor*, float, DLTensor*) { return kValue; }");
  AddSource(solution, "lib/value.h", "constexpr int kValue = 9;");
  const BuildResult result = Build(solution);
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_EQ(CallScale(result.library_path).code, 9);
}

TEST_F(BuilderTest, OptionsTakeEffect) {
  v1::Solution solution = CSolution(
      "#include <dlpack/dlpack.h>\n"
      "int scale(const DLTensor*, float, DLTensor*, void*) { return CODE; }");
  solution.mutable_spec()->add_compile_options("-DCODE=5");
  const BuildResult result = Build(solution);
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_EQ(CallScale(result.library_path).code, 5);
}

TEST_F(BuilderTest, BuildsTvmFfi) {
  v1::Solution solution = CSolution(
      "#include <tvm/ffi/container/tensor.h>\n"
      "#include <tvm/ffi/function.h>\n"
      "void Scale(tvm::ffi::TensorView x, double f, tvm::ffi::TensorView y) "
      "{}\n"
      "TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, Scale);\n");
  solution.mutable_spec()->set_binding(v1::BuildSpec::TVM_FFI);
  const BuildResult result = Build(solution);
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  void* handle = dlopen(result.library_path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << dlerror();
  EXPECT_NE(dlsym(handle, "__tvm_ffi_scale"), nullptr);
}

TEST_F(BuilderTest, TvmFfiWithoutTheExportIsToldWhatIsWanted) {
  v1::Solution solution = CSolution("void Other() {}");
  solution.mutable_spec()->set_binding(v1::BuildSpec::TVM_FFI);
  EXPECT_THAT(CompileErrorOf(solution),
              AllOf(HasSubstr("assay: entry point \"scale\" must be: void "
                              "scale(tvm::ffi::TensorView x, double factor, "
                              "tvm::ffi::TensorView y)"),
                    HasSubstr("TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, ...)")));
}

constexpr char kAdvice[] =
    "\nassay: entry point \"scale\" must be: int scale(const DLTensor* x, "
    "float factor, DLTensor* y, void* stream)\n";

TEST_F(BuilderTest, AWrongSignatureIsAnsweredWithTheRightOne) {
  for (const char* declaration :
       {"void scale(const DLTensor*, float, DLTensor*, void*) {}",
        "int scale(const DLTensor*, double, DLTensor*, void*) { return 0; }",
        "int scale(const DLTensor*, DLTensor*, void*) { return 0; }",
        "int scale;", "int Scale() { return 0; }",
        "namespace n { int scale() { return 0; } }"}) {
    EXPECT_THAT(CompileErrorOf(CSolution(
                    absl::StrCat("#include <dlpack/dlpack.h>\n", declaration))),
                EndsWith(kAdvice))
        << declaration;
  }
}

TEST_F(BuilderTest, AnEntryPointThatIsOnlyDeclaredIsAnsweredWithTheRightOne) {
  EXPECT_THAT(CompileErrorOf(CSolution(
                  "#include <dlpack/dlpack.h>\n extern \"C\" int scale(const "
                  "DLTensor*, float, DLTensor*, void*);")),
              EndsWith(kAdvice));
}

TEST_F(BuilderTest, ASyntaxErrorIsShownAsTheCompilerSaysIt) {
  EXPECT_THAT(CompileErrorOf(CSolution(absl::StrCat(kScale, "\nint x = ;\n"))),
              AllOf(HasSubstr("kernel.cpp:11:9: error: expected "
                              "primary-expression before ';' token"),
                    Not(HasSubstr("assay: ")), Not(HasSubstr(cache_->path()))));
}

TEST_F(BuilderTest, AMissingFunctionIsFoundByTheLinker) {
  EXPECT_THAT(CompileErrorOf(CSolution(
                  "#include <dlpack/dlpack.h>\nint Missing();\n"
                  "int scale(const DLTensor*, float, DLTensor*, void*) "
                  "{ return Missing(); }")),
              AllOf(HasSubstr("undefined reference to `Missing()'"),
                    Not(HasSubstr("assay: "))));
}

TEST_F(BuilderTest, SourcesAndFoldersNamedLikeOptionsAreNotOptions) {
  v1::Solution solution = CSolution(
      "#include \"value.h\"\nint Impl();\n#include <dlpack/dlpack.h>\n"
      "int scale(const DLTensor*, float, DLTensor*, void*) "
      "{ return Impl() + kValue; }");
  AddSource(solution, "-fplugin=x.cpp", "int Impl() { return 4; }");
  AddSource(solution, "@opts/value.h", "constexpr int kValue = 5;");
  // Read when the folder is taken for a file of options.
  AddSource(solution, "opts", "-include missing.h");
  solution.mutable_spec()->add_compile_options("-I@opts");
  const BuildResult result = Build(solution);
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_EQ(CallScale(result.library_path).code, 9);
}

TEST_F(BuilderTest, AnOptionThatIsNotAllowedIsNamed) {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->add_compile_options("-fplugin=./evil.so");
  EXPECT_THAT(CompileErrorOf(solution),
              AllOf(HasSubstr("assay: compile option \"-fplugin=./evil.so\""),
                    HasSubstr("allowed are")));
}

TEST_F(BuilderTest, AnEndlessCompilationIsStopped) {
  // Instantiates 2^40 templates.
  const BuildResult result = Build(
      CSolution(
          "template <int N, long M> struct Bomb {\n"
          "  static constexpr long v = Bomb<N - 1, 2 * M>::v +\n"
          "                            Bomb<N - 1, 2 * M + 1>::v;\n};\n"
          "template <long M> struct Bomb<0, M> { static constexpr long v = M; "
          "};\n"
          "static_assert(Bomb<40, 1>::v != 0);\n"),
      absl::Milliseconds(500));
  EXPECT_EQ(result.outcome, BuildResult::kTimeout);
  EXPECT_THAT(result.log, EndsWith("the build was stopped after 500ms\n"));
  EXPECT_EQ(result.library_path, "");
}

TEST_F(BuilderTest, ABuildThatIsNotWantedAnyMoreIsStopped) {
  bool was_asked = false;
  EXPECT_THAT(
      builder_->Build(ScaleDefinition(), CSolution("#include \"/dev/zero\"\n"),
                      kLong,
                      [&was_asked] { return std::exchange(was_asked, true); }),
      StatusIs(absl::StatusCode::kCancelled, testing::_));
}

TEST_F(BuilderTest, ACompilationThatTakesTooMuchMemoryFails) {
  options_.compiler_memory_bytes = int64_t{256} << 20;
  Reopen();
  EXPECT_THAT(CompileErrorOf(CSolution("#include \"/dev/zero\"\n")),
              HasSubstr("out of memory"));
}

TEST_F(BuilderTest, AFailureForLackOfMemoryIsNotCached) {
  options_.compiler_memory_bytes = int64_t{256} << 20;
  Reopen();
  Build(CSolution("#include \"/dev/zero\"\n"));
  EXPECT_FALSE(Build(CSolution("#include \"/dev/zero\"\n")).cached);
}

TEST_F(BuilderTest, AStoppedBuildIsNotCached) {
  EXPECT_EQ(Build(CSolution(), absl::ZeroDuration()).outcome,
            BuildResult::kTimeout);
  EXPECT_EQ(Build(CSolution()).outcome, BuildResult::kBuilt);
}

TEST_F(BuilderTest, TheBuildSeesNoHomeFolderAndNoEnvironment) {
  setenv("ASSAY_TEST_SECRET", "secret-value", 1);
  EXPECT_THAT(
      CompileErrorOf(CSolution("#include \"/proc/self/environ\"\n"
                               "#if __has_include(\"/root/.profile\") || "
                               "__has_include(\"/root/.bashrc\")\n"
                               "#error home-is-visible\n#endif\n")),
      AllOf(Not(HasSubstr("secret-value")), Not(HasSubstr("home-is-visible"))));
}

TEST_F(BuilderTest, TheSecondBuildIsTakenFromTheCache) {
  const BuildResult first = Build(CSolution());
  Reopen();
  const BuildResult second = Build(CSolution());
  EXPECT_EQ(second.outcome, BuildResult::kBuilt);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.library_path, first.library_path);
  EXPECT_EQ(second.key, first.key);
}

TEST_F(BuilderTest, ErrorsAreTakenFromTheCacheToo) {
  const BuildResult first = Build(CSolution("int x = ;"));
  const BuildResult second = Build(CSolution("int x = ;"));
  EXPECT_EQ(second.outcome, BuildResult::kCompileError);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.log, first.log);
}

TEST_F(BuilderTest, WhatTheBuildDependsOnChangesTheKey) {
  // None of these compiles, which is the fastest.
  const v1::Solution base = CSolution("int x = ;");
  const std::string key = Build(base).key;
  v1::Solution other_source = CSolution("int y = ;");
  EXPECT_NE(Build(other_source).key, key);
  v1::Solution other_option = base;
  other_option.mutable_spec()->add_compile_options("-O2");
  EXPECT_NE(Build(other_option).key, key);
  v1::Solution other_file = base;
  AddSource(other_file, "a.h", "");
  EXPECT_NE(Build(other_file).key, key);
  v1::Definition definition = ScaleDefinition();
  definition.mutable_inputs(1)->set_dtype(v1::DTYPE_INT32);
  ASSERT_OK_AND_ASSIGN(const BuildResult other_signature,
                       builder_->Build(definition, base, kLong));
  EXPECT_NE(other_signature.key, key);
}

TEST_F(BuilderTest, WhatTheBuildDoesNotDependOnKeepsTheKey) {
  v1::Solution solution = CSolution("int x = ;");
  const std::string key = Build(solution).key;
  solution.set_name("another");
  solution.set_author("someone");
  EXPECT_EQ(Build(solution).key, key);
}

TEST_F(BuilderTest, ADamagedLibraryIsBuiltAgain) {
  const BuildResult first = Build(CSolution());
  ASSERT_OK(WriteFileAtomically(first.library_path, "not a library"));
  const BuildResult second = Build(CSolution());
  EXPECT_EQ(second.outcome, BuildResult::kBuilt);
  EXPECT_FALSE(second.cached);
  EXPECT_EQ(CallScale(second.library_path).code, 0);
}

TEST_F(BuilderTest, ManyThatWantTheSameBuildGetOneBuild) {
  std::vector<std::thread> threads;
  std::vector<BuildResult> results(4);
  threads.reserve(results.size());
  for (BuildResult& result : results) {
    threads.emplace_back([this, &result] { result = Build(CSolution()); });
  }
  for (std::thread& thread : threads) thread.join();
  int built = 0;
  for (const BuildResult& result : results) {
    EXPECT_EQ(result.outcome, BuildResult::kBuilt);
    if (!result.cached) ++built;
  }
  EXPECT_EQ(built, 1);
}

TEST_F(BuilderTest, NoWorkFolderIsLeft) {
  Build(CSolution());
  Build(CSolution("int x = ;"));
  for (const auto& folder :
       std::filesystem::directory_iterator(cache_->path() + "/tmp")) {
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << folder.path();
  }
}

TEST_F(BuilderTest, AnotherLanguageIsNoFaultOfTheSolution) {
  v1::Solution solution = CSolution();
  solution.mutable_spec()->set_language(v1::BuildSpec::CUDA);
  EXPECT_THAT(builder_->Build(ScaleDefinition(), solution, kLong),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("language \"cuda\" with binding \"c\"")));
}

TEST_F(BuilderTest, ACompilerThatIsMissingIsReportedAtOnce) {
  options_.cxx = "no-such-compiler";
  EXPECT_THAT(Builder::Create(*launcher_, *sandbox_, options_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("\"no-such-compiler\"; install")));
}

TEST_F(BuilderTest, ACompilerThatDoesNotWorkIsReportedAtOnce) {
  options_.cxx = "/bin/false";
  EXPECT_THAT(Builder::Create(*launcher_, *sandbox_, options_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("\"/bin/false\" does not work")));
}

TEST_F(BuilderTest, AMissingTvmFfiIsReportedAtOnce) {
  options_.tvm_ffi_dir = "/no/such/folder";
  EXPECT_THAT(Builder::Create(*launcher_, *sandbox_, options_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"/no/such/folder\""),
                             HasSubstr("ASSAY_TVM_FFI_DIR"))));
}

}  // namespace
}  // namespace assay
