#include "worker/lease/report_spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ReportSpoolTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-spool-"));
    Reopen();
  }

  // As the next process does.
  void Reopen(int64_t max_bytes = ReportSpool::kMaxBytes) {
    spool_.reset();
    ASSERT_OK_AND_ASSIGN(spool_, ReportSpool::Open(Path(), max_bytes));
  }
  std::string Path() const { return folder_->path() + "/spool"; }

  static v1::LeaseReport Accept(const std::string& lease = "l") {
    v1::LeaseReport report;
    report.set_lease_id(lease);
    report.set_session_id("s");
    report.mutable_accept();
    return report;
  }
  static v1::LeaseReport Report(int64_t number) {
    v1::LeaseReport report;
    report.set_lease_id("l");
    report.set_number(number);
    report.mutable_completed()->mutable_evaluation()->set_log(
        std::string(1000, 'x'));
    return report;
  }

  absl::optional<TempDir> folder_;
  std::unique_ptr<ReportSpool> spool_;
};

TEST_F(ReportSpoolTest, NextProcessFindsWhatWasLeft) {
  const auto file = spool_->Start(Accept(), absl::Minutes(10));
  file->Append(Report(1));
  file->Append(Report(2));
  Reopen();
  const std::vector<SpooledLease> left = spool_->TakeLeft();
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0].accept.session_id(), "s");
  ASSERT_THAT(left[0].reports, SizeIs(2));
  EXPECT_EQ(left[0].reports[1].SerializeAsString(),
            Report(2).SerializeAsString());
  EXPECT_GT(left[0].left, absl::Minutes(5));
  EXPECT_LE(left[0].left, absl::Minutes(10));
  spool_->Forget(left[0]);
  EXPECT_THAT(spool_->TakeLeft(), IsEmpty());
}

TEST_F(ReportSpoolTest, NothingIsLeftOfWhatWasDelivered) {
  const auto file = spool_->Start(Accept(), absl::Minutes(10));
  file->Append(Report(1));
  file->Remove();
  file->Append(Report(2));
  EXPECT_THAT(spool_->TakeLeft(), IsEmpty());
}

TEST_F(ReportSpoolTest, TornReportAndWhatIsNoSpoolAreLeftOut) {
  const auto file = spool_->Start(Accept(), absl::Minutes(10));
  file->Append(Report(1));
  file->Append(Report(2));
  const std::string path = Path() + "/l.reports";
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  ASSERT_OK(WriteFileAtomically(Path() + "/junk.reports", "junk"));
  const std::vector<SpooledLease> left = spool_->TakeLeft();
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_THAT(left[0].reports, SizeIs(1));
  EXPECT_FALSE(std::filesystem::exists(Path() + "/junk.reports"));
}

TEST_F(ReportSpoolTest, KeepsSoManyBytesAtMost) {
  Reopen(/*max_bytes=*/2500);
  const auto full = spool_->Start(Accept(), absl::Minutes(10));
  for (int number = 1; number <= 4; ++number) full->Append(Report(number));
  ASSERT_THAT(spool_->TakeLeft(), SizeIs(1));
  EXPECT_THAT(spool_->TakeLeft()[0].reports, SizeIs(2));
  // There is room again after it is gone.
  full->Remove();
  const auto next = spool_->Start(Accept("next"), absl::Minutes(10));
  next->Append(Report(1));
  EXPECT_THAT(spool_->TakeLeft()[0].reports, SizeIs(1));
}

TEST_F(ReportSpoolTest, TimeThatIsOverIsTold) {
  spool_->Start(Accept(), absl::ZeroDuration());
  EXPECT_LE(spool_->TakeLeft()[0].left, absl::ZeroDuration());
}

TEST_F(ReportSpoolTest, LeaseIdIsNoPath) {
  spool_->Start(Accept("../../l"), absl::Minutes(10));
  EXPECT_TRUE(std::filesystem::exists(Path() + "/.._.._l.reports"));
}

TEST_F(ReportSpoolTest, OneProcessHasIt) {
  EXPECT_THAT(ReportSpool::Open(Path()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("another process has")));
}

}  // namespace
}  // namespace assay
