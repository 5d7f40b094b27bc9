#include "worker/cuda/find_cupti.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

class FindCuptiTest : public testing::Test {
 protected:
  FindCuptiTest()
      : first_(*TempDir::Create("assay-cupti-")),
        second_(*TempDir::Create("assay-cupti-")) {}

  static std::string Touch(const TempDir& folder, const std::string& name) {
    const std::string path = folder.path() + "/" + name;
    EXPECT_OK(WriteFileAtomically(path, ""));
    return path;
  }

  std::string Found() {
    return FindCupti({"/no/such/folder", first_.path(), second_.path()});
  }

  TempDir first_;
  TempDir second_;
};

TEST_F(FindCuptiTest, NothingWhereThereIsNone) {
  Touch(first_, "libcuptix.so");
  Touch(first_, "libcupti.so.old");
  EXPECT_EQ(Found(), "");
}

TEST_F(FindCuptiTest, TheFirstFolderThatHasIt) {
  const std::string wanted = Touch(first_, "libcupti.so.12");
  Touch(second_, "libcupti.so");
  EXPECT_EQ(Found(), wanted);
}

TEST_F(FindCuptiTest, ThePlainNameGoesBeforeVersions) {
  Touch(second_, "libcupti.so.13");
  const std::string wanted = Touch(second_, "libcupti.so");
  EXPECT_EQ(Found(), wanted);
}

TEST_F(FindCuptiTest, TheHighestVersionByNumber) {
  Touch(first_, "libcupti.so.9");
  const std::string wanted = Touch(first_, "libcupti.so.13");
  Touch(first_, "libcupti.so.11");
  EXPECT_EQ(Found(), wanted);
}

}  // namespace
}  // namespace assay
