// Solutions in CUDA, compiled by NVIDIA's compiler on a machine that needs no
// GPU.

#include <dlfcn.h>
#include <dlpack/dlpack.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "worker/build/builder_testing.h"
#include "worker/build/cuda_architecture.h"
#include "worker/build/cuda_dependencies.h"
#include "worker/build/cuda_toolkit.h"
#include "worker/runner/c_entry.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr char kScale[] = R"(
#include <dlpack/dlpack.h>
__global__ void ScaleKernel(const float* x, float factor, int64_t n, float* y) {
  const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}
extern "C" int scale(const DLTensor* x, float factor, DLTensor* y,
                     void* stream) {
  const int64_t n = x->shape[0];
  ScaleKernel<<<(n + 255) / 256, 256, 0, static_cast<cudaStream_t>(stream)>>>(
      static_cast<const float*>(x->data), factor, n,
      static_cast<float*>(y->data));
  return cudaGetLastError();
}
)";

// A function of the right signature, without a kernel: compiles fast.
std::string ScaleThatReturns(absl::string_view expression) {
  return absl::StrCat(
      "#include <dlpack/dlpack.h>\n"
      "extern \"C\" int scale(const DLTensor*, float, DLTensor*, void*) ",
      "{ return ", expression, "; }\n");
}

v1::Solution CudaSolution(const std::string& source = kScale) {
  v1::Solution solution;
  v1::BuildSpec& spec = *solution.mutable_spec();
  spec.set_language(v1::BuildSpec::CUDA);
  spec.set_binding(v1::BuildSpec::C);
  spec.set_entry_point("kernel.cu::scale");
  spec.set_destination_passing_style(true);
  AddSource(solution, "kernel.cu", source);
  return solution;
}

class CudaBuilderTest : public BuilderTest {
 protected:
  // All tests start with one builder, since each takes seconds to see that its
  // compiler works.
  struct Suite {
    std::shared_ptr<TempDir> cache;
    std::shared_ptr<Launcher> launcher;
    std::shared_ptr<Sandbox> sandbox;
    BuilderOptions options;
    std::shared_ptr<Builder> builder;
  };

  static void TearDownTestSuite() {
    delete suite_;
    suite_ = nullptr;
  }

  void SetUp() override {
    if (suite_ == nullptr) {
      ASSERT_NO_FATAL_FAILURE(SetUpSuite());
    }
    cache_ = suite_->cache;
    launcher_ = suite_->launcher;
    sandbox_ = suite_->sandbox;
    options_ = suite_->options;
    builder_ = suite_->builder;
  }

  void SetUpSuite() {
    ASSERT_NO_FATAL_FAILURE(BuilderTest::SetUp());
    CudaBuildOptions cuda;
    ASSERT_OK_AND_ASSIGN(
        cuda.toolkit,
        FindCudaToolkit(absl::StrCat(std::getenv("TEST_SRCDIR"), "/cuda")));
    ASSERT_OK_AND_ASSIGN(cuda.architectures, CudaArchitecturesFor("", 9, 0));
    options_.cuda = cuda;
    ASSERT_NO_FATAL_FAILURE(Reopen());
    suite_ = new Suite{cache_, launcher_, sandbox_, options_, builder_};
  }

  static Suite* suite_;
};

CudaBuilderTest::Suite* CudaBuilderTest::suite_ = nullptr;

// The symbol of a library; null when it has none.
void* SymbolOf(const std::string& library, const char* symbol) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << dlerror();
  return handle == nullptr ? nullptr : dlsym(handle, symbol);
}

// What the entry point of a library returns for tensors of no elements.
int CallScale(const std::string& library) {
  const auto entry = reinterpret_cast<CEntry>(SymbolOf(library, kCEntrySymbol));
  EXPECT_NE(entry, nullptr);
  if (entry == nullptr) return 0;
  int64_t shape[] = {0};
  DLTensor tensor = {};
  tensor.ndim = 1;
  tensor.shape = shape;
  const float factor = 2;
  const void* args[] = {&tensor, &factor, &tensor};
  char error[16];
  return entry(args, nullptr, error, sizeof(error));
}

TEST_F(CudaBuilderTest, BuildsBindingCWithoutAWarning) {
  const BuildResult result = Build(CudaSolution());
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_EQ(result.log, "");
  EXPECT_NE(SymbolOf(result.library_path, kCEntrySymbol), nullptr);
  ASSERT_OK_AND_ASSIGN(const std::string library,
                       ReadFile(result.library_path));
  EXPECT_THAT(library, HasSubstr("ScaleKernel"));
}

TEST_F(CudaBuilderTest, BuildsTvmFfi) {
  v1::Solution solution = CudaSolution(
      "#include <tvm/ffi/container/tensor.h>\n"
      "#include <tvm/ffi/function.h>\n"
      "__global__ void Kernel() {}\n"
      "void Scale(tvm::ffi::TensorView x, double f, tvm::ffi::TensorView y) "
      "{ Kernel<<<1, 1>>>(); }\n"
      "TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, Scale);\n");
  solution.mutable_spec()->clear_binding();
  const BuildResult result = Build(solution);
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_NE(SymbolOf(result.library_path, "__tvm_ffi_scale"), nullptr);
}

TEST_F(CudaBuilderTest, FurtherUnitsOfDeviceAndHostCodeAreLinked) {
  v1::Solution solution = CudaSolution(
      "#include \"lib/device.cuh\"\n#include <dlpack/dlpack.h>\nint Host();\n"
      "extern \"C\" int scale(const DLTensor*, float, DLTensor*, void*) "
      "{ return Device() + Host(); }");
  AddSource(solution, "lib/device.cuh", "int Device();");
  AddSource(solution, "lib/device.cu",
            "#include \"device.cuh\"\n__device__ int unused;\n"
            "int Device() { return 1000; }");
  AddSource(solution, "host.cpp", "int Host() { return 234; }");
  const BuildResult result = Build(solution);
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_EQ(CallScale(result.library_path), 1234);
}

TEST_F(CudaBuilderTest, OptionsTakeTheirEffectAndThePlaceOfDefaults) {
  v1::Solution solution = CudaSolution(
      ScaleThatReturns("CODE + (__cplusplus >= 202002L ? 100 : 0) + HOST"));
  for (const char* option :
       {"-DCODE=5", "-std=c++20", "-O1", "-Xcompiler=-DHOST=1000",
        "--use_fast_math", "-Xptxas=-O2"}) {
    solution.mutable_spec()->add_compile_options(option);
  }
  const BuildResult result = Build(solution);
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_EQ(result.log, "");
  EXPECT_EQ(CallScale(result.library_path), 1105);
}

TEST_F(CudaBuilderTest, CallsBetweenUnitsOfDeviceCodeAreLinkedOnRequest) {
  v1::Solution solution = CudaSolution(
      "#include <dlpack/dlpack.h>\n__device__ float Twice(float);\n"
      "__global__ void Kernel(float* y) { *y = Twice(*y); }\n"
      "extern \"C\" int scale(const DLTensor*, float, DLTensor* y, void*) "
      "{ Kernel<<<1, 1>>>(static_cast<float*>(y->data)); return 7; }");
  AddSource(solution, "twice.cu",
            "__device__ float Twice(float x) { return 2 * x; }");
  solution.mutable_spec()->add_compile_options("-rdc=true");
  const BuildResult result = Build(solution);
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_EQ(CallScale(result.library_path), 7);
}

constexpr char kAdvice[] =
    "\nassay: entry point \"scale\" must be: int scale(const DLTensor* x, "
    "float factor, DLTensor* y, void* stream)\n";

TEST_F(CudaBuilderTest, AWrongSignatureIsAnsweredWithTheRightOne) {
  for (const char* declaration :
       {"void scale(const DLTensor*, float, DLTensor*, void*) {}",
        "int scale(const DLTensor*, double, DLTensor*, void*) { return 0; }",
        "int Scale() { return 0; }"}) {
    EXPECT_THAT(CompileErrorOf(CudaSolution(
                    absl::StrCat("#include <dlpack/dlpack.h>\n", declaration))),
                EndsWith(kAdvice))
        << declaration;
  }
}

TEST_F(CudaBuilderTest, ASyntaxErrorIsShownAsTheCompilerSaysIt) {
  EXPECT_THAT(
      CompileErrorOf(CudaSolution(absl::StrCat(kScale, "\nint x = ;\n"))),
      AllOf(HasSubstr("kernel.cu(16): error: expected an expression"),
            Not(HasSubstr("assay: ")), Not(HasSubstr(cache_->path()))));
}

TEST_F(CudaBuilderTest, AMissingFunctionIsFoundByTheLinker) {
  EXPECT_THAT(CompileErrorOf(CudaSolution(absl::StrCat(
                  "int Missing();\n", ScaleThatReturns("Missing()")))),
              AllOf(HasSubstr("undefined reference to `Missing()'"),
                    Not(HasSubstr("assay: "))));
}

TEST_F(CudaBuilderTest, AnOptionThatIsNotAllowedIsNamed) {
  v1::Solution solution = CudaSolution();
  solution.mutable_spec()->add_compile_options("-arch=sm_80");
  EXPECT_THAT(CompileErrorOf(solution),
              AllOf(HasSubstr("assay: compile option \"-arch=sm_80\""),
                    HasSubstr("architecture of its device")));
}

TEST_F(CudaBuilderTest, ADependencyThatIsNotInstalledIsNamed) {
  v1::Solution solution = CudaSolution();
  solution.mutable_spec()->add_dependencies("cutlass");
  EXPECT_THAT(CompileErrorOf(solution),
              HasSubstr("assay: dependency \"cutlass\" is not installed on "
                        "this worker"));
}

TEST_F(CudaBuilderTest, ADependencyThatIsInstalledIsFound) {
  ASSERT_OK_AND_ASSIGN(const TempDir cutlass, TempDir::Create("assay-test-"));
  ASSERT_OK(CreateDirectories(cutlass.path() + "/include/cutlass"));
  ASSERT_OK(WriteFileAtomically(cutlass.path() + "/include/cutlass/cutlass.h",
                                "constexpr int Code() { return 77; }"));
  ASSERT_OK_AND_ASSIGN(options_.cuda->cutlass_dir, FindCutlass(cutlass.path()));
  Reopen();
  v1::Solution solution = CudaSolution(absl::StrCat(
      "#include <cutlass/cutlass.h>\n", ScaleThatReturns("Code()")));
  solution.mutable_spec()->add_dependencies("cutlass");
  const BuildResult result = Build(solution);
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_EQ(CallScale(result.library_path), 77);
}

TEST_F(CudaBuilderTest, NamesOfSourcesAreNotRunByAShell) {
  for (const char* path : {"$(touch x).cu", "`touch x`.cpp", "a\"b.cu"}) {
    v1::Solution solution = CudaSolution();
    AddSource(solution, path, "");
    EXPECT_THAT(CompileErrorOf(solution), HasSubstr("rename it")) << path;
  }
}

TEST_F(CudaBuilderTest, UnusualNamesOfSourcesAreFine) {
  v1::Solution solution =
      CudaSolution(absl::StrCat("int Impl();\n", ScaleThatReturns("Impl()")));
  AddSource(solution, "a b;c&d (1).cu", "int Impl() { return 4; }");
  const BuildResult result = Build(solution);
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  EXPECT_EQ(CallScale(result.library_path), 4);
}

TEST_F(CudaBuilderTest, TheArchitectureChangesTheKey) {
  const v1::Solution solution = CudaSolution("int x = ;");
  const std::string key = Build(solution).key;
  ASSERT_OK_AND_ASSIGN(options_.cuda->architectures,
                       ParseCudaArchitectures("8.0"));
  Reopen();
  EXPECT_NE(Build(solution).key, key);
}

TEST_F(CudaBuilderTest, ACompilationThatTakesTooMuchMemoryFails) {
  options_.cuda->compiler_memory_bytes = int64_t{512} << 20;
  Reopen();
  EXPECT_THAT(CompileErrorOf(CudaSolution("#include \"/dev/zero\"\n")),
              HasSubstr("out of memory"));
}

TEST_F(CudaBuilderTest, SaysWhatItBuilds) {
  EXPECT_THAT(builder_->languages(),
              ElementsAre(v1::BuildSpec::CPP, v1::BuildSpec::CUDA));
  EXPECT_THAT(builder_->bindings(),
              ElementsAre(v1::BuildSpec::C, v1::BuildSpec::TVM_FFI));
  EXPECT_THAT(builder_->run_time_folders(),
              testing::Contains(options_.cuda->toolkit.folder));
}

TEST_F(CudaBuilderTest, AnArchitectureThatTheCompilerLacksIsReportedAtOnce) {
  ASSERT_OK_AND_ASSIGN(options_.cuda->architectures,
                       ParseCudaArchitectures("9.0a 99.0a"));
  EXPECT_THAT(
      Builder::Create(*launcher_, *sandbox_, options_),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("architecture \"99.0a\""), HasSubstr("sm_90"))));
}

TEST_F(CudaBuilderTest, CompilersThatDoNotFitEachOtherAreReportedAtOnce) {
  // Answers questions, and compiles nothing.
  constexpr char kCompiler[] =
      "#!/bin/sh\n"
      "case \"$*\" in --version | --list-gpu-code) echo sm_90; exit;; esac\n"
      "echo unsupported GNU version\nexit 1\n";
  ASSERT_OK_AND_ASSIGN(const TempDir broken, TempDir::Create("assay-test-"));
  ASSERT_OK(CreateDirectories(broken.path() + "/bin"));
  for (const char* name : {"/bin/nvcc", "/bin/ptxas"}) {
    const std::string path = broken.path() + name;
    ASSERT_OK(WriteFileAtomically(path, kCompiler));
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  options_.cuda->toolkit.folder = broken.path();
  EXPECT_THAT(
      Builder::Create(*launcher_, *sandbox_, options_),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("/bin/nvcc\" and \"/usr/bin/g++\" cannot build"),
                     HasSubstr("unsupported GNU version"))));
}

TEST_F(CudaBuilderTest, ACompilerThatDoesNotWorkIsReportedAtOnce) {
  ASSERT_OK_AND_ASSIGN(const TempDir broken, TempDir::Create("assay-test-"));
  ASSERT_OK(CreateDirectories(broken.path() + "/bin"));
  std::filesystem::create_symlink("/bin/false", broken.path() + "/bin/nvcc");
  options_.cuda->toolkit.folder = broken.path();
  EXPECT_THAT(Builder::Create(*launcher_, *sandbox_, options_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("/bin/nvcc\" does not work")));
}

}  // namespace
}  // namespace assay
