#include "worker/build/cuda_toolkit.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class CudaToolkitTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-test-"));
    root_ = std::filesystem::canonical(folder_->path()).string();
    Write("bin/nvcc", "#!/bin/sh\n");
    ASSERT_EQ(chmod((root_ + "/bin/nvcc").c_str(), 0755), 0);
    Write("include/cuda.h", "// x\n#define CUDA_VERSION 13010\n");
    unsetenv("CUDA_HOME");
    unsetenv("CUDA_PATH");
  }

  void Write(const std::string& path, const std::string& content) {
    const std::filesystem::path whole = root_ + "/" + path;
    ASSERT_OK(CreateDirectories(whole.parent_path().string()));
    ASSERT_OK(WriteFileAtomically(whole.string(), content));
  }

  std::optional<TempDir> folder_;
  std::string root_;
};

TEST_F(CudaToolkitTest, KnowsItsVersion) {
  ASSERT_OK_AND_ASSIGN(const CudaToolkit toolkit, FindCudaToolkit(root_));
  EXPECT_EQ(toolkit.version, "13.1");
  EXPECT_EQ(toolkit.folder, root_);
}

TEST_F(CudaToolkitTest, TheEnvironmentNamesIt) {
  setenv("CUDA_PATH", root_.c_str(), 1);
  ASSERT_OK_AND_ASSIGN(const CudaToolkit toolkit, FindCudaToolkit(""));
  EXPECT_EQ(toolkit.folder, root_);
  setenv("CUDA_HOME", "/no/such/toolkit", 1);
  EXPECT_THAT(FindCudaToolkit(""),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"/no/such/toolkit/bin/nvcc\""),
                             HasSubstr("install the CUDA toolkit"))));
}

TEST_F(CudaToolkitTest, FollowsLinksToWhereTheCompilerIs) {
  ASSERT_OK_AND_ASSIGN(const TempDir other, TempDir::Create("assay-test-"));
  const std::string link = other.path() + "/cuda";
  ASSERT_EQ(symlink(root_.c_str(), link.c_str()), 0);
  ASSERT_OK_AND_ASSIGN(const CudaToolkit toolkit, FindCudaToolkit(link));
  EXPECT_EQ(toolkit.folder, root_);
}

TEST_F(CudaToolkitTest, NamesEachLibraryFolderOnce) {
  Write("targets/x86_64-linux/lib/libcudart_static.a", "");
  ASSERT_EQ(symlink("targets/x86_64-linux/lib", (root_ + "/lib64").c_str()), 0);
  ASSERT_OK_AND_ASSIGN(const CudaToolkit toolkit, FindCudaToolkit(root_));
  EXPECT_THAT(toolkit.LibraryFolders(),
              ElementsAre(root_ + "/targets/x86_64-linux/lib"));
}

TEST_F(CudaToolkitTest, HasNoLibraryFoldersWhenThereAreNone) {
  ASSERT_OK_AND_ASSIGN(const CudaToolkit toolkit, FindCudaToolkit(root_));
  EXPECT_THAT(toolkit.LibraryFolders(), testing::IsEmpty());
}

TEST_F(CudaToolkitTest, ACompilerWithoutHeadersIsReported) {
  std::filesystem::remove(root_ + "/include/cuda.h");
  EXPECT_THAT(FindCudaToolkit(root_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("has no include/cuda.h")));
}

TEST_F(CudaToolkitTest, AHeaderWithoutAVersionIsReported) {
  Write("include/cuda.h", "#define CUDA_VERSION_OF_THINGS\n");
  EXPECT_THAT(FindCudaToolkit(root_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("does not say CUDA's version")));
}

TEST_F(CudaToolkitTest, AFileThatCannotBeExecutedIsNoCompiler) {
  std::filesystem::remove(root_ + "/bin/nvcc");
  std::filesystem::create_directories(root_ + "/bin/elsewhere");
  EXPECT_THAT(FindCudaToolkit(root_),
              StatusIs(absl::StatusCode::kFailedPrecondition, testing::_));
}

}  // namespace
}  // namespace assay
