// Solutions with binding `torch`, compiled against the outlines of a torch.

#include <gmock/gmock.h>

#include <filesystem>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "worker/build/builder_testing.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Of torch and pybind11 just what shows that the build names them right.
constexpr char kExtensionHeader[] = R"(
#include <Python.h>
#include <torch/all.h>
#if !defined(TORCH_API_INCLUDE_EXTENSION_H) || _GLIBCXX_USE_CXX11_ABI != 1
#error "macros are missing"
#endif
#define CONCATENATED(a, b) a##b
#define INIT(name) CONCATENATED(PyInit_, name)
#define PYBIND11_MODULE(name, m) \
  extern "C" void* INIT(name)() { return PyModule_Create2(); } \
  void Define(int m)
)";

constexpr char kModule[] =
    "#include <torch/extension.h>\n"
    "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n";

v1::Solution TorchSolution(const std::string& source = kModule) {
  v1::Solution solution;
  v1::BuildSpec& spec = *solution.mutable_spec();
  spec.set_language(v1::BuildSpec::CPP);
  spec.set_binding(v1::BuildSpec::TORCH);
  spec.set_entry_point("kernel.cpp::scale");
  spec.set_destination_passing_style(true);
  spec.add_dependencies("torch");
  AddSource(solution, "kernel.cpp", source);
  return solution;
}

class TorchBuilderTest : public BuilderTest {
 protected:
  void SetUp() override {
    BuilderTest::SetUp();
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-test-"));
    root_ = std::filesystem::canonical(folder_->path()).string();
    Write("include/torch/extension.h", kExtensionHeader);
    Write("include/torch/csrc/api/include/torch/all.h", "");
    Write("python/Python.h", "extern \"C\" void* PyModule_Create2();");
    TorchToolkit torch;
    torch.version = "2.11.0";
    torch.python_include = root_ + "/python";
    torch.include_dirs = {root_ + "/include",
                          root_ + "/include/torch/csrc/api/include"};
    torch.library_dirs = {root_ + "/lib"};
    for (const std::string& name : torch.Libraries()) {
      // A script of the linker stands for a library.
      Write(absl::StrCat("lib/lib", name, ".so"), "INPUT(-lm)\n");
    }
    options_.torch = torch;
    Reopen();
  }

  void Write(const std::string& path, const std::string& content) {
    const std::filesystem::path whole = root_ + "/" + path;
    ASSERT_OK(CreateDirectories(whole.parent_path().string()));
    ASSERT_OK(WriteFileAtomically(whole.string(), content));
  }

  std::optional<TempDir> folder_;
  std::string root_;
};

TEST_F(TorchBuilderTest, BuildsAnExtensionWithTheNameThatRunnersExpect) {
  const BuildResult result = Build(TorchSolution());
  ASSERT_EQ(result.outcome, BuildResult::kBuilt) << result.log;
  ASSERT_OK_AND_ASSIGN(const std::string library,
                       ReadFile(result.library_path));
  EXPECT_THAT(library, AllOf(HasSubstr("PyInit_assay_torch_extension"),
                             // Where it finds torch's libraries.
                             HasSubstr(root_ + "/lib")));
}

TEST_F(TorchBuilderTest, ASourceWithoutAModuleIsToldWhatIsWanted) {
  EXPECT_THAT(
      CompileErrorOf(TorchSolution("int scale;")),
      AllOf(HasSubstr("assay: entry point \"scale\" must be: void scale("
                      "torch::Tensor x, double factor, torch::Tensor y)"),
            HasSubstr("m.def(\"scale\", ...) in "
                      "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)")));
}

TEST_F(TorchBuilderTest, TheVersionOfTorchChangesTheKey) {
  const v1::Solution solution = TorchSolution("int x = ;");
  v1::Solution without_torch = solution;
  without_torch.mutable_spec()->clear_dependencies();
  without_torch.mutable_spec()->set_binding(v1::BuildSpec::C);
  const std::string key = Build(solution).key;
  const std::string key_without = Build(without_torch).key;
  options_.torch->version = "2.12.0";
  Reopen();
  EXPECT_NE(Build(solution).key, key);
  EXPECT_EQ(Build(without_torch).key, key_without);
}

TEST_F(TorchBuilderTest, SaysThatItBuildsThem) {
  EXPECT_THAT(builder_->bindings(),
              ElementsAre(v1::BuildSpec::C, v1::BuildSpec::TVM_FFI,
                          v1::BuildSpec::TORCH));
}

TEST_F(TorchBuilderTest, WithoutTorchTheyAreNoFaultOfTheSolution) {
  options_.torch.reset();
  Reopen();
  EXPECT_THAT(builder_->Build(ScaleDefinition(), TorchSolution(), kLong),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("language \"cpp\" with binding \"torch\"")));
}

}  // namespace
}  // namespace assay
