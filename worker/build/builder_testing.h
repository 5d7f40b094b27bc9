// What tests of the builder share: a definition, its solutions, and a builder.

#ifndef ASSAY_WORKER_BUILD_BUILDER_TESTING_H_
#define ASSAY_WORKER_BUILD_BUILDER_TESTING_H_

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/solution.pb.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "worker/build/builder.h"
#include "worker/launcher/launcher.h"
#include "worker/launcher/launcher_testing.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

// Far longer than anything here takes.
inline constexpr absl::Duration kLong = absl::Minutes(4);

inline std::string TvmFfiDir() {
  // The folder that the package's files really lie in.
  const std::string header = absl::StrCat(std::getenv("TEST_SRCDIR"),
                                          "/tvm_ffi/include/dlpack/dlpack.h");
  return std::filesystem::canonical(header)
      .parent_path()
      .parent_path()
      .parent_path()
      .string();
}

inline v1::Definition ScaleDefinition() {
  v1::Definition definition;
  definition.set_name("scale");
  v1::TensorSpec& x = *definition.add_inputs();
  x.set_name("x");
  x.add_shape("n");
  x.set_dtype(v1::DTYPE_FLOAT32);
  v1::TensorSpec& factor = *definition.add_inputs();
  factor.set_name("factor");
  factor.set_is_scalar(true);
  factor.set_dtype(v1::DTYPE_FLOAT32);
  *definition.add_outputs() = definition.inputs(0);
  definition.mutable_outputs(0)->set_name("y");
  return definition;
}

inline void AddSource(v1::Solution& solution, const std::string& path,
                      const std::string& content) {
  v1::SourceFile& source = *solution.add_sources();
  source.set_path(path);
  source.set_content(content);
}

class BuilderTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir cache, TempDir::Create("assay-test-"));
    cache_ = std::make_shared<TempDir>(std::move(cache));
    ASSERT_OK_AND_ASSIGN(launcher_, StartTestLauncher());
    ASSERT_OK_AND_ASSIGN(Sandbox sandbox,
                         Sandbox::Create(SandboxMode::kStrict, *launcher_, {}));
    sandbox_ = std::make_shared<Sandbox>(std::move(sandbox));
    options_.cache_dir = cache_->path();
    options_.tvm_ffi_dir = TvmFfiDir();
    Reopen();
  }

  // A new builder with the same cache.
  void Reopen() {
    ASSERT_OK_AND_ASSIGN(builder_,
                         Builder::Create(*launcher_, *sandbox_, options_));
  }

  BuildResult Build(const v1::Solution& solution,
                    absl::Duration timeout = kLong) {
    auto result = builder_->Build(ScaleDefinition(), solution, timeout);
    EXPECT_OK(result);
    return result.ok() ? *std::move(result) : BuildResult();
  }

  // The log of a solution that must not compile.
  std::string CompileErrorOf(const v1::Solution& solution) {
    const BuildResult result = Build(solution);
    EXPECT_EQ(result.outcome, BuildResult::kCompileError);
    EXPECT_EQ(result.library_path, "");
    return result.log;
  }

  // Shared, so that a suite can have its tests use the same ones.
  std::shared_ptr<TempDir> cache_;
  std::shared_ptr<Launcher> launcher_;
  std::shared_ptr<Sandbox> sandbox_;
  BuilderOptions options_;
  std::shared_ptr<Builder> builder_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_BUILDER_TESTING_H_
