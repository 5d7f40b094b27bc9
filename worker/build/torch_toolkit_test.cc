#include "worker/build/torch_toolkit.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "worker/launcher/launcher_testing.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kFailedPrecondition = absl::StatusCode::kFailedPrecondition;

// The system's interpreter, which looks for torch in a folder of the test.
class TorchToolkitTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(launcher_, StartTestLauncher());
    ASSERT_OK_AND_ASSIGN(sandbox_,
                         Sandbox::Create(SandboxMode::kStrict, *launcher_, {}));
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-test-"));
    root_ = std::filesystem::canonical(folder_->path()).string();
    python_ = root_ + "/python";
    WritePython(
        absl::StrCat("exec /usr/bin/python3 -I -S -c \"import sys, sysconfig\n"
                     "sys.path.insert(0, '",
                     root_,
                     "')\n"
                     "sysconfig.get_paths = lambda: {'include': '",
                     root_,
                     "/python-include'}\n"
                     "exec(sys.argv[1])\" \"$3\"\n"));
    Write("torch/__init__.py", "raise ImportError('must not be imported')\n");
    Write("torch/version.py",
          "from typing import Optional\n"
          "__version__ = '2.11.0+cu130'\ncuda: Optional[str] = '13.0'\n");
    Write("torch/include/torch/extension.h", "");
    Write("torch/lib/libc10.so",
          "\xff _ZN3c105ErrorC1ENS_14SourceLocationENSt7__cxx1112basic");
    Write("python-include/Python.h", "");
  }

  void Write(const std::string& path, const std::string& content) {
    const std::filesystem::path whole = root_ + "/" + path;
    ASSERT_OK(CreateDirectories(whole.parent_path().string()));
    ASSERT_OK(WriteFileAtomically(whole.string(), content));
  }

  void WritePython(const std::string& script) {
    Write("python", "#!/bin/sh\n" + script);
    ASSERT_EQ(chmod(python_.c_str(), 0755), 0);
  }

  absl::StatusOr<TorchToolkit> Find() {
    return FindTorchToolkit(*launcher_, *sandbox_, python_, {root_});
  }

  std::unique_ptr<Launcher> launcher_;
  std::optional<Sandbox> sandbox_;
  std::optional<TempDir> folder_;
  std::string root_;
  std::string python_;
};

TEST_F(TorchToolkitTest, KnowsWhatExtensionsNeed) {
  ASSERT_OK_AND_ASSIGN(const TorchToolkit toolkit, Find());
  EXPECT_EQ(toolkit.version, "2.11.0+cu130");
  EXPECT_TRUE(toolkit.has_cuda);
  EXPECT_TRUE(toolkit.cxx11_abi);
  EXPECT_EQ(toolkit.python_include, root_ + "/python-include");
  EXPECT_THAT(toolkit.include_dirs,
              ElementsAre(root_ + "/torch/include",
                          root_ + "/torch/include/torch/csrc/api/include"));
  EXPECT_THAT(toolkit.library_dirs, ElementsAre(root_ + "/torch/lib"));
  EXPECT_THAT(toolkit.Libraries(),
              ElementsAre("c10", "torch_cpu", "torch", "torch_python",
                          "c10_cuda", "torch_cuda"));
}

TEST_F(TorchToolkitTest, KnowsATorchWithoutCuda) {
  Write("torch/version.py", "__version__ = '1.13.0a0'\ncuda = None\n");
  ASSERT_OK_AND_ASSIGN(const TorchToolkit toolkit, Find());
  EXPECT_EQ(toolkit.version, "1.13.0a0");
  EXPECT_FALSE(toolkit.has_cuda);
  EXPECT_THAT(toolkit.Libraries(),
              ElementsAre("c10", "torch_cpu", "torch", "torch_python"));
}

TEST_F(TorchToolkitTest, KnowsTheOldStringAbi) {
  Write("torch/lib/libc10.so", "_ZN3c105ErrorC1ENS_14SourceLocationESs");
  ASSERT_OK_AND_ASSIGN(const TorchToolkit toolkit, Find());
  EXPECT_FALSE(toolkit.cxx11_abi);
}

TEST_F(TorchToolkitTest, WarningsOfTheInterpreterAreIgnored) {
  WritePython("echo warning: {}; echo '{\"version\": 1}'\n");
  EXPECT_THAT(Find(), StatusIs(kFailedPrecondition, HasSubstr("no headers")));
}

TEST_F(TorchToolkitTest, AnInterpreterWithoutTorchIsReported) {
  std::filesystem::remove_all(root_ + "/torch");
  EXPECT_THAT(Find(),
              StatusIs(kFailedPrecondition, AllOf(HasSubstr("has no torch"),
                                                  HasSubstr("--python"))));
}

TEST_F(TorchToolkitTest, ATorchWithoutHeadersIsReported) {
  std::filesystem::remove_all(root_ + "/torch/include");
  EXPECT_THAT(Find(),
              StatusIs(kFailedPrecondition,
                       AllOf(HasSubstr("torch 2.11.0+cu130 of"),
                             HasSubstr("include/torch/extension.h\""))));
}

TEST_F(TorchToolkitTest, ATorchWithoutLibrariesIsReported) {
  std::filesystem::remove_all(root_ + "/torch/lib");
  EXPECT_THAT(Find(), StatusIs(kFailedPrecondition, HasSubstr("libc10.so")));
}

TEST_F(TorchToolkitTest, AnInterpreterWithoutHeadersIsReported) {
  std::filesystem::remove_all(root_ + "/python-include");
  EXPECT_THAT(Find(), StatusIs(kFailedPrecondition,
                               AllOf(HasSubstr("python-include/Python.h"),
                                     HasSubstr("python3-dev"))));
}

TEST_F(TorchToolkitTest, AnInterpreterThatFailsIsReported) {
  WritePython("echo broken; exit 3\n");
  EXPECT_THAT(Find(),
              StatusIs(kFailedPrecondition,
                       AllOf(HasSubstr("exit code 3"), HasSubstr("broken"))));
}

TEST_F(TorchToolkitTest, AnswersThatMakeNoSenseAreReported) {
  for (const char* script : {"echo hello\n", "echo '[1'\n", "exit 0\n"}) {
    WritePython(script);
    EXPECT_THAT(Find(), StatusIs(kFailedPrecondition,
                                 HasSubstr("does not answer questions")))
        << script;
  }
}

}  // namespace
}  // namespace assay
