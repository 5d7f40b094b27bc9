#include "server/retention/retention.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/types/optional.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/status_testing.h"
#include "server/catalog/catalog.h"
#include "server/catalog/samples_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class RetentionTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-retention-"));
    Store::Options options;
    options.path = folder_->path() + "/assay.db";
    options.clock = &clock_;
    ASSERT_OK_AND_ASSIGN(store_, Store::Open(std::move(options)));
    ASSERT_OK_AND_ASSIGN(blobs_, BlobStore::Open(folder_->path() + "/blobs"));
    ASSERT_OK(store_->WriteAndWait<bool>(
        [](Session& session) -> absl::StatusOr<bool> {
          const auto created = CreateDefinition(session, SampleDefinition());
          if (!created.ok()) return created.status();
          return true;
        }));
  }

  // A trace made now.
  void AddTrace(const std::string& id, bool held = false) {
    v1::TraceRecord record;
    record.set_id(id);
    record.set_create_time_us(absl::ToUnixMicros(clock_.Now()));
    record.mutable_trace()->set_definition("scale_d64");
    record.mutable_trace()->set_solution("a");
    *record.mutable_trace()->mutable_workload() = SampleWorkload("w1");
    v1::Evaluation& evaluation = *record.mutable_trace()->mutable_evaluation();
    evaluation = SampleEvaluation(v1::PASSED);
    evaluation.set_log(std::string(1000, 'x'));
    if (held) evaluation.add_findings()->set_effect(v1::Finding::HOLD);
    EXPECT_OK(store_->WriteAndWait<bool>(
        [&](Session& session) { return session.traces().Insert(record); }));
  }
  v1::TraceRecord Trace(const std::string& id) {
    const auto record = store_->ReadAndWait<v1::TraceRecord>(
        [&](Session& session) { return session.traces().Get(id); });
    EXPECT_OK(record);
    return record.value_or(v1::TraceRecord());
  }
  std::string Log(const std::string& id) {
    return Trace(id).trace().evaluation().log();
  }

  // A blob last used at the clock's time.
  std::string AddBlob(const std::string& content) {
    const std::string sha256 = Sha256Hex(content);
    const auto upload =
        blobs_->Create(sha256, static_cast<int64_t>(content.size()));
    EXPECT_OK(upload);
    EXPECT_OK((*upload)->Append(content));
    EXPECT_OK((*upload)->Commit());
    SetTime(sha256);
    return sha256;
  }
  void SetTime(const std::string& sha256) {
    const timespec now = absl::ToTimespec(clock_.Now());
    const timespec times[] = {now, now};
    EXPECT_EQ(utimensat(AT_FDCWD, Path(sha256).c_str(), times, 0), 0);
  }
  std::string Path(const std::string& sha256) {
    return absl::StrCat(folder_->path(), "/blobs/", sha256.substr(0, 2), "/",
                        sha256);
  }
  bool Exists(const std::string& sha256) {
    struct stat info;
    return stat(Path(sha256).c_str(), &info) == 0;
  }

  absl::StatusOr<Retention::Report> Sweep() {
    Retention::Options options;
    options.clock = &clock_;
    options.keep_logs = absl::Hours(24 * 30);
    options.keep_unused_blobs = absl::Hours(24);
    return Retention(options, *store_, *blobs_).Sweep();
  }

  absl::optional<TempDir> folder_;
  FakeClock clock_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<BlobStore> blobs_;
};

TEST_F(RetentionTest, OldLogsGoAndTheRestStays) {
  AddTrace("old");
  clock_.Advance(absl::Hours(24 * 29));
  AddTrace("young");
  clock_.Advance(absl::Hours(25));
  const v1::TraceRecord before = Trace("old");
  const auto report = Sweep();
  ASSERT_OK(report);
  EXPECT_EQ(report->logs, 1);
  EXPECT_EQ(Log("old"), "the log was removed: it was older than 720h");
  EXPECT_THAT(Log("young"), StartsWith("xxx"));
  v1::TraceRecord after = Trace("old");
  after.mutable_trace()->mutable_evaluation()->set_log(
      before.trace().evaluation().log());
  EXPECT_EQ(after.SerializeAsString(), before.SerializeAsString());
}

TEST_F(RetentionTest, SweepsGoOnWhereTheLastOneEnded) {
  AddTrace("a");
  clock_.Advance(absl::Hours(24 * 31));
  EXPECT_EQ(Sweep()->logs, 1);
  AddTrace("b");
  EXPECT_EQ(Sweep()->logs, 0);
  clock_.Advance(absl::Hours(24 * 31));
  EXPECT_EQ(Sweep()->logs, 1);
  EXPECT_THAT(Log("b"), HasSubstr("removed"));
}

TEST_F(RetentionTest, ManyLogsAreCutInOneSweep) {
  for (int i = 0; i < 450; ++i) AddTrace(absl::StrCat("t", i));
  clock_.Advance(absl::Hours(24 * 31));
  EXPECT_EQ(Sweep()->logs, 450);
}

TEST_F(RetentionTest, WhatWaitsForAReviewKeepsItsLog) {
  AddTrace("held", /*held=*/true);
  clock_.Advance(absl::Hours(24 * 31));
  EXPECT_EQ(Sweep()->logs, 0);
  EXPECT_THAT(Log("held"), StartsWith("xxx"));
}

TEST_F(RetentionTest, BlobsThatNoWorkloadNamesGo) {
  const std::string used = AddBlob("used");
  const std::string unused = AddBlob("unused");
  v1::WorkloadRecord record;
  record.set_definition("scale_d64");
  *record.mutable_workload() = SampleWorkload("w2");
  record.mutable_workload()
      ->mutable_inputs(0)
      ->mutable_safetensors()
      ->set_sha256(used);
  ASSERT_OK(
      store_->WriteAndWait<bool>([&](Session& session) -> absl::StatusOr<bool> {
        const absl::Status status = session.workloads().Insert(record);
        if (!status.ok()) return status;
        return true;
      }));
  clock_.Advance(absl::Hours(23));
  EXPECT_EQ(Sweep()->blobs, 0);
  clock_.Advance(absl::Hours(2));
  const auto report = Sweep();
  ASSERT_OK(report);
  EXPECT_EQ(report->blobs, 1);
  EXPECT_EQ(report->blob_bytes, 6);
  EXPECT_TRUE(Exists(used));
  EXPECT_FALSE(Exists(unused));
}

// An import asks for it first, and names it in a workload later.
TEST_F(RetentionTest, BlobThatSomebodyAskedForStays) {
  const std::string sha256 = AddBlob("content");
  // By the machine's clock, which is ahead of the test's.
  EXPECT_TRUE(blobs_->Has(sha256));
  clock_.Advance(absl::Hours(25));
  EXPECT_EQ(Sweep()->blobs, 0);
  EXPECT_TRUE(Exists(sha256));
}

TEST_F(RetentionTest, SweepsByItselfUntilItIsStopped) {
  const std::string sha256 = AddBlob("content");
  clock_.Advance(absl::Hours(25));
  Retention::Options options;
  options.clock = &clock_;
  options.keep_unused_blobs = absl::Hours(24);
  options.interval = absl::Milliseconds(10);
  Retention retention(options, *store_, *blobs_);
  retention.Start();
  for (int i = 0; i < 1000 && Exists(sha256); ++i) {
    absl::SleepFor(absl::Milliseconds(10));
  }
  EXPECT_FALSE(Exists(sha256));
  retention.Stop();
  retention.Stop();
}

}  // namespace
}  // namespace assay
