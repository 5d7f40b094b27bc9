// Runs the files named on the command line through a fuzz target.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/status_testing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace assay {
namespace {

TEST(CorpusTest, EveryInputIsHarmless) {
  const std::vector<std::string> arguments = testing::internal::GetArgvs();
  ASSERT_GT(arguments.size(), 1) << "the corpus is empty";
  for (size_t i = 1; i < arguments.size(); ++i) {
    SCOPED_TRACE(arguments[i]);
    ASSERT_OK_AND_ASSIGN(const std::string input, ReadFile(arguments[i]));
    // Not a string's own memory, which has a NUL behind it to run into.
    const std::vector<uint8_t> bytes(input.begin(), input.end());
    EXPECT_EQ(LLVMFuzzerTestOneInput(bytes.data(), bytes.size()), 0);
  }
}

}  // namespace
}  // namespace assay
