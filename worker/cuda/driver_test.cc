#include "worker/cuda/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status_testing.h"
#include "worker/cuda/context.h"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// On a machine with a GPU the tests in tests/gpu speak for the driver.
TEST(CudaDriverTest, SaysInOneLineWhyThereIsNone) {
  const absl::StatusOr<const CudaDriver*> driver = CudaDriver::Load();
  if (driver.ok()) return;
  EXPECT_THAT(driver, StatusIs(absl::StatusCode::kFailedPrecondition,
                               StartsWith("CUDA is not available: ")));
  EXPECT_EQ(driver.status().message().find('\n'), absl::string_view::npos);
}

TEST(CudaContextTest, WithoutADriverSaysSo) {
  if (CudaDriver::Load().ok()) return;
  EXPECT_THAT(CudaContext::Open(0),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("CUDA is not available")));
}

}  // namespace
}  // namespace assay
