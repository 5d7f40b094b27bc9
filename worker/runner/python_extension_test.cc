// Compiled Python modules: the solutions with binding `torch`.

#include <fcntl.h>

#include <string>

#include "base/fd.h"
#include "worker/runner/python_runner_testing.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PythonExtensionTest : public PythonRunnerTest {
 protected:
  RunnerOutcome LoadExtension(const std::string& path) {
    load_.set_kind(worker::Load::TORCH_EXTENSION);
    session_ = zygote_->Fork().value();
    const UniqueFd library(
        open(TestDataPath(path).c_str(), O_RDONLY | O_CLOEXEC));
    return session_->Load(load_, library.get(), kPatience).value();
  }
};

TEST_F(PythonExtensionTest, CallsTheFunctionOfTheModule) {
  Scale();
  ASSERT_THAT(LoadExtension("worker/runner/libpython_module.so"), Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  ASSERT_THAT(Run(), Succeeds());
  EXPECT_THAT(Y(), ElementsAre(4, 8, 12));
}

TEST_F(PythonExtensionTest, MissingFunctionFailsToLoad) {
  load_.set_symbol("walk");
  EXPECT_THAT(LoadExtension("worker/runner/libpython_module.so"),
              FailsWith(worker::Failed::LOAD,
                        AllOf(HasSubstr("the extension defines no \"walk\""),
                              HasSubstr("\"def walk(x, factor, y)\""))));
}

TEST_F(PythonExtensionTest, LibraryThatIsNoModuleFailsToLoad) {
  EXPECT_THAT(LoadExtension("worker/runner/libc_modes.so"),
              FailsWith(worker::Failed::LOAD,
                        HasSubstr("PyInit_assay_torch_extension")));
}

TEST_F(PythonExtensionTest, FileThatIsNoLibraryFailsToLoad) {
  EXPECT_THAT(LoadExtension("worker/runner/python/__main__.py"),
              FailsWith(worker::Failed::LOAD, HasSubstr("ImportError")));
}

}  // namespace
}  // namespace assay
