#include "worker/build/cuda_dependencies.h"

#include <gmock/gmock.h>

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
using testing::IsEmpty;

constexpr auto kFailedPrecondition = absl::StatusCode::kFailedPrecondition;

class CudaDependenciesTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-test-"));
    root_ = std::filesystem::canonical(folder_->path()).string();
    places_.toolkit.folder = root_ + "/nvidia/cu13";
    places_.system_root = root_ + "/system";
    unsetenv("ASSAY_CUTLASS_DIR");
  }

  void Touch(const std::string& path) {
    const std::filesystem::path whole = root_ + "/" + path;
    ASSERT_OK(CreateDirectories(whole.parent_path().string()));
    ASSERT_OK(WriteFileAtomically(whole.string(), ""));
  }

  std::optional<TempDir> folder_;
  std::string root_;
  CudaLibraryPlaces places_;
};

TEST_F(CudaDependenciesTest, FindsLibrariesOfTheToolkit) {
  Touch("nvidia/cu13/include/cublas_v2.h");
  Touch("nvidia/cu13/lib64/libcublas.so");
  Touch("nvidia/cu13/lib64/libcublasLt.so");
  ASSERT_OK_AND_ASSIGN(const CudaDependencyFlags flags,
                       ResolveCudaDependencies(places_, {"cublas"}));
  const std::string lib = root_ + "/nvidia/cu13/lib64";
  EXPECT_THAT(flags.libraries,
              ElementsAre(lib + "/libcublas.so", lib + "/libcublasLt.so"));
  EXPECT_THAT(flags.run_time_folders, ElementsAre(lib));
  EXPECT_THAT(flags.include_dirs, IsEmpty());
}

TEST_F(CudaDependenciesTest, FindsLibrariesWithAVersionInTheirName) {
  Touch("nvidia/cu13/include/curand.h");
  Touch("nvidia/cu13/lib/libcurand.so.10.4.0");
  Touch("nvidia/cu13/lib/libcurand.so.10");
  Touch("nvidia/cu13/lib/libcurandx.so");
  ASSERT_OK_AND_ASSIGN(const CudaDependencyFlags flags,
                       ResolveCudaDependencies(places_, {"curand"}));
  EXPECT_THAT(flags.libraries,
              ElementsAre(root_ + "/nvidia/cu13/lib/libcurand.so.10"));
}

TEST_F(CudaDependenciesTest, FindsLibrariesBesideTheToolkit) {
  Touch("nvidia/cudnn/include/cudnn.h");
  Touch("nvidia/cudnn/lib/libcudnn.so.9");
  ASSERT_OK_AND_ASSIGN(const CudaDependencyFlags flags,
                       ResolveCudaDependencies(places_, {"cudnn"}));
  EXPECT_THAT(flags.include_dirs, ElementsAre(root_ + "/nvidia/cudnn/include"));
  EXPECT_THAT(flags.run_time_folders, ElementsAre(root_ + "/nvidia/cudnn/lib"));
}

TEST_F(CudaDependenciesTest, FindsLibrariesOfTheSystem) {
  Touch("system/usr/include/cudnn.h");
  Touch("system/usr/lib/x86_64-linux-gnu/libcudnn.so");
  ASSERT_OK_AND_ASSIGN(const CudaDependencyFlags flags,
                       ResolveCudaDependencies(places_, {"cudnn"}));
  EXPECT_THAT(flags.include_dirs, IsEmpty());
  EXPECT_THAT(
      flags.libraries,
      ElementsAre(root_ + "/system/usr/lib/x86_64-linux-gnu/libcudnn.so"));
}

TEST_F(CudaDependenciesTest, LinksTheDriversStandInButDoesNotRunIt) {
  Touch("nvidia/cu13/include/cuda.h");
  Touch("nvidia/cu13/lib/stubs/libcuda.so");
  ASSERT_OK_AND_ASSIGN(const CudaDependencyFlags flags,
                       ResolveCudaDependencies(places_, {"cuda"}));
  EXPECT_THAT(flags.libraries,
              ElementsAre(root_ + "/nvidia/cu13/lib/stubs/libcuda.so"));
  EXPECT_THAT(flags.run_time_folders, IsEmpty());
}

TEST_F(CudaDependenciesTest, LinksTheDriverWhereThereIsNoStandIn) {
  Touch("nvidia/cu13/include/cuda.h");
  Touch("system/usr/lib/x86_64-linux-gnu/libcuda.so.1");
  ASSERT_OK_AND_ASSIGN(const CudaDependencyFlags flags,
                       ResolveCudaDependencies(places_, {"cuda"}));
  EXPECT_THAT(
      flags.libraries,
      ElementsAre(root_ + "/system/usr/lib/x86_64-linux-gnu/libcuda.so.1"));
}

TEST_F(CudaDependenciesTest, ADependencyGivenTwiceIsLinkedOnce) {
  Touch("nvidia/cu13/include/cufft.h");
  Touch("nvidia/cu13/lib/libcufft.so");
  ASSERT_OK_AND_ASSIGN(const CudaDependencyFlags flags,
                       ResolveCudaDependencies(places_, {"cufft", "cufft"}));
  EXPECT_EQ(flags.libraries.size(), 1u);
}

TEST_F(CudaDependenciesTest, SaysWhereALibraryWasLookedFor) {
  Touch("nvidia/cu13/include/cudnn.h");
  Touch("nvidia/cu13/lib/libcudnn_ops.so");
  EXPECT_THAT(
      ResolveCudaDependencies(places_, {"cudnn"}),
      StatusIs(kFailedPrecondition,
               AllOf(HasSubstr("dependency \"cudnn\" is not installed on this "
                               "worker: there is no libcudnn.so in \""),
                     HasSubstr(root_ + "/nvidia/cu13/lib\", \""))));
}

TEST_F(CudaDependenciesTest, ALibraryWithoutItsHeaderIsNotInstalled) {
  Touch("nvidia/cu13/lib/libcudnn.so");
  EXPECT_THAT(ResolveCudaDependencies(places_, {"cudnn"}),
              StatusIs(kFailedPrecondition, HasSubstr("no cudnn.h in \"")));
}

TEST_F(CudaDependenciesTest, CutlassIsHeaders) {
  Touch("cutlass/include/cutlass/cutlass.h");
  Touch("cutlass/tools/util/include/cutlass/util/host_tensor.h");
  ASSERT_OK_AND_ASSIGN(places_.cutlass_dir, FindCutlass(root_ + "/cutlass"));
  ASSERT_OK_AND_ASSIGN(const CudaDependencyFlags flags,
                       ResolveCudaDependencies(places_, {"cutlass"}));
  EXPECT_THAT(flags.include_dirs,
              ElementsAre(root_ + "/cutlass/include",
                          root_ + "/cutlass/tools/util/include"));
  EXPECT_THAT(flags.options, ElementsAre("--expt-relaxed-constexpr"));
  EXPECT_THAT(flags.libraries, IsEmpty());
}

TEST_F(CudaDependenciesTest, SaysThatThereIsNoCutlass) {
  EXPECT_THAT(
      ResolveCudaDependencies(places_, {"cutlass"}),
      StatusIs(kFailedPrecondition, AllOf(HasSubstr("\"cutlass\" is not inst"),
                                          HasSubstr("ASSAY_CUTLASS_DIR"))));
}

TEST_F(CudaDependenciesTest, TheEnvironmentNamesCutlass) {
  EXPECT_THAT(FindCutlass(""), IsOkAndHolds(std::string()));
  Touch("cutlass/include/cutlass/cutlass.h");
  setenv("ASSAY_CUTLASS_DIR", (root_ + "/cutlass").c_str(), 1);
  EXPECT_THAT(FindCutlass(""), IsOkAndHolds(root_ + "/cutlass"));
}

TEST_F(CudaDependenciesTest, AFolderWithoutCutlassIsReported) {
  EXPECT_THAT(FindCutlass(root_),
              StatusIs(kFailedPrecondition,
                       HasSubstr("there is no include/cutlass/cutlass.h")));
}

TEST_F(CudaDependenciesTest, ListsTheKnownNames) {
  EXPECT_OK(CheckCudaDependency("cublas"));
  EXPECT_OK(CheckCudaDependency("cutlass"));
  EXPECT_THAT(CheckCudaDependency("numpy"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"numpy\" is not known"),
                             HasSubstr("cublas, cuda, cudnn"),
                             HasSubstr("and cutlass"))));
}

}  // namespace
}  // namespace assay
