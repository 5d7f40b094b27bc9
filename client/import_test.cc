#include "client/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/sha256.h"
#include "base/status_testing.h"
#include "client/client.h"
#include "client/fake_coordinator.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class ImportTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir dir, TempDir::Create("import-"));
    dir_ = std::make_unique<TempDir>(std::move(dir));
    set_.root = dir_->path();
    ASSERT_OK(WriteFileAtomically(set_.root + "/a.safetensors", "aaa"));
    Client::Options options;
    options.address = fake_.address();
    ASSERT_OK_AND_ASSIGN(client_, Client::Connect(options));
  }

  void AddDefinition(const std::string& name) {
    v1::Definition definition;
    definition.set_name(name);
    set_.definitions.push_back({"definitions/" + name, definition});
  }
  void AddSolution(const std::string& name) {
    v1::Solution solution;
    solution.set_name(name);
    set_.solutions.push_back({"solutions/" + name, solution});
  }
  v1::Trace WithFile(const std::string& uuid, const std::string& path) {
    v1::Trace trace;
    trace.mutable_workload()->set_uuid(uuid);
    v1::WorkloadInput* input = trace.mutable_workload()->add_inputs();
    input->set_name("x");
    input->mutable_safetensors()->set_path(path);
    return trace;
  }

  std::vector<std::string> ImportedOrigins() {
    std::vector<std::string> origins;
    fake_.Edit([&origins](FakeCoordinator::State& state) {
      for (const auto& item : state.imported) origins.push_back(item.origin());
    });
    return origins;
  }

  FakeCoordinator fake_;
  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<Client> client_;
  TraceSet set_;
};

TEST_F(ImportTest, ItemsGoInTheOrderInWhichTheyDependOnEachOther) {
  set_.traces.push_back({"traces/t", v1::Trace()});
  set_.traces[0].value.mutable_evaluation();
  AddSolution("s");
  set_.workloads.push_back({"workloads/w", v1::Trace()});
  AddDefinition("d");
  ASSERT_OK_AND_ASSIGN(const ImportReport report,
                       ImportTraceSet(*client_, set_, {}));
  EXPECT_THAT(ImportedOrigins(), ElementsAre("definitions/d", "workloads/w",
                                             "solutions/s", "traces/t"));
  EXPECT_EQ(report.response.definitions_created(), 1);
  EXPECT_EQ(report.response.workloads_created(), 1);
  EXPECT_EQ(report.response.solutions_created(), 1);
  EXPECT_EQ(report.response.traces_created(), 1);
}

TEST_F(ImportTest, FilesGoFirstOnceEach) {
  set_.workloads.push_back({"w:1", WithFile("1", "a.safetensors")});
  set_.workloads.push_back({"w:2", WithFile("2", "a.safetensors")});
  std::vector<std::string> progress;
  ImportOptions options;
  options.on_progress = [&progress](absl::string_view what) {
    progress.emplace_back(what);
  };
  ASSERT_OK_AND_ASSIGN(const ImportReport report,
                       ImportTraceSet(*client_, set_, options));
  EXPECT_EQ(report.blobs_uploaded, 1);
  EXPECT_EQ(report.bytes_uploaded, 3);
  EXPECT_THAT(progress,
              ElementsAre("uploading blob 1 of 1", "importing 2 items"));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_THAT(state.blobs, ElementsAre(Pair(Sha256Hex("aaa"), "aaa")));
    EXPECT_EQ(
        state.imported[1].trace().workload().inputs(0).safetensors().sha256(),
        Sha256Hex("aaa"));
  });
}

TEST_F(ImportTest, StoredFilesAreNotSentAgain) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.blobs[Sha256Hex("aaa")] = "aaa";
  });
  set_.workloads.push_back({"w:1", WithFile("1", "a.safetensors")});
  ASSERT_OK_AND_ASSIGN(const ImportReport report,
                       ImportTraceSet(*client_, set_, {}));
  EXPECT_EQ(report.blobs_uploaded, 0);
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_EQ(state.calls["PutBlob"], 0);
  });
}

TEST_F(ImportTest, WorkloadWithoutItsFileIsRejectedAndTheRestGoesOn) {
  AddDefinition("d");
  set_.workloads.push_back({"w:1", WithFile("1", "missing.safetensors")});
  set_.workloads.push_back({"w:2", WithFile("2", "../outside")});
  set_.workloads.push_back({"w:3", WithFile("3", "a.safetensors")});
  ASSERT_OK_AND_ASSIGN(const ImportReport report,
                       ImportTraceSet(*client_, set_, {}));
  EXPECT_THAT(ImportedOrigins(), ElementsAre("definitions/d", "w:3"));
  EXPECT_EQ(report.response.rejected(), 2);
  ASSERT_EQ(report.response.rejections_size(), 2);
  EXPECT_EQ(report.response.rejections(0).origin(), "w:1");
  EXPECT_THAT(report.response.rejections(0).message(),
              HasSubstr("input \"x\": file missing.safetensors"));
  EXPECT_EQ(report.response.rejections(1).origin(), "w:2");
}

TEST_F(ImportTest, TraceWithoutItsFileIsKept) {
  set_.traces.push_back({"t:1", WithFile("1", "missing.safetensors")});
  set_.traces[0].value.mutable_evaluation();
  ASSERT_OK_AND_ASSIGN(const ImportReport report,
                       ImportTraceSet(*client_, set_, {}));
  EXPECT_EQ(report.response.traces_created(), 1);
  EXPECT_EQ(report.response.rejected(), 0);
}

TEST_F(ImportTest, CoordinatorsRejectionsAreReported) {
  AddDefinition("d");
  fake_.Edit([](FakeCoordinator::State& state) {
    state.import_response.set_rejected(1);
    state.import_response.add_rejections()->set_message("no");
  });
  ASSERT_OK_AND_ASSIGN(const ImportReport report,
                       ImportTraceSet(*client_, set_, {}));
  EXPECT_EQ(report.response.rejected(), 1);
  EXPECT_EQ(report.response.rejections(0).message(), "no");
}

TEST_F(ImportTest, FailedUploadNamesTheFile) {
  set_.workloads.push_back({"w:1", WithFile("1", "a.safetensors")});
  fake_.Edit([](FakeCoordinator::State& state) {
    state.errors["PutBlob"] = {absl::DataLossError("disk full")};
  });
  EXPECT_THAT(ImportTraceSet(*client_, set_, {}),
              StatusIs(absl::StatusCode::kDataLoss,
                       "uploading a.safetensors: disk full"));
  EXPECT_THAT(ImportedOrigins(), ElementsAre());
}

}  // namespace
}  // namespace assay
