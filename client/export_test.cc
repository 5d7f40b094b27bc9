#include "client/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/file.h"
#include "base/sha256.h"
#include "base/status_testing.h"
#include "client/client.h"
#include "client/fake_coordinator.h"
#include "schema/trace_set.h"

namespace assay {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

v1::Definition ScaleDefinition(const std::string& name) {
  v1::Definition definition;
  definition.set_name(name);
  definition.set_op_type("scale");
  v1::Axis* axis = definition.add_axes();
  axis->set_name("n");
  axis->set_kind(v1::Axis::VAR);
  for (v1::TensorSpec* tensor :
       {definition.add_inputs(), definition.add_outputs()}) {
    tensor->add_shape("n");
    tensor->set_dtype(v1::DTYPE_FLOAT32);
  }
  definition.mutable_inputs(0)->set_name("x");
  definition.mutable_outputs(0)->set_name("y");
  definition.set_reference("def run(x):\n    return x\n");
  return definition;
}

v1::Solution SolutionFor(const std::string& definition) {
  v1::Solution solution;
  solution.set_name(definition + "_python");
  solution.set_definition(definition);
  solution.set_author("assay");
  solution.mutable_spec()->set_language(v1::BuildSpec::PYTHON);
  solution.mutable_spec()->add_target_hardware("cpu");
  solution.mutable_spec()->set_entry_point("main.py::run");
  v1::SourceFile* source = solution.add_sources();
  source->set_path("main.py");
  source->set_content("def run(x, y):\n    y.copy_(x)\n");
  return solution;
}

v1::Workload WorkloadWithFile(const std::string& uuid,
                              const std::string& content) {
  v1::Workload workload;
  workload.set_uuid(uuid);
  v1::AxisValue* axis = workload.add_axes();
  axis->set_name("n");
  axis->set_value(4);
  v1::WorkloadInput* input = workload.add_inputs();
  input->set_name("x");
  input->mutable_safetensors()->set_path("blob/workloads/x.safetensors");
  input->mutable_safetensors()->set_tensor_key("x");
  input->mutable_safetensors()->set_sha256(Sha256Hex(content));
  return workload;
}

// An evaluation of the first solution.
v1::TraceRecord& AddTrace(FakeCoordinator::State& state,
                          const std::string& uuid) {
  v1::TraceRecord& record = state.traces.emplace_back();
  v1::Trace& trace = *record.mutable_trace();
  trace.set_definition("scale_a");
  trace.set_solution("scale_a_python");
  trace.mutable_workload()->set_uuid(uuid);
  trace.mutable_evaluation()->set_status(v1::COMPILE_ERROR);
  trace.mutable_evaluation()->mutable_environment()->set_hardware("CPU");
  trace.mutable_evaluation()->mutable_timestamp()->set_seconds(1);
  return record;
}

class ExportTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir dir, TempDir::Create("export-"));
    dir_ = std::make_unique<TempDir>(std::move(dir));
    root_ = dir_->path() + "/set";
    Client::Options options;
    options.address = fake_.address();
    ASSERT_OK_AND_ASSIGN(client_, Client::Connect(options));
    fake_.Edit([](FakeCoordinator::State& state) {
      for (const char* name : {"scale_a", "scale_b"}) {
        *state.definitions.emplace_back().mutable_definition() =
            ScaleDefinition(name);
        *state.solutions.emplace_back().mutable_solution() = SolutionFor(name);
      }
    });
  }

  void AddWorkload(const std::string& uuid, const std::string& content) {
    fake_.Edit([&](FakeCoordinator::State& state) {
      v1::WorkloadRecord& record = state.workloads.emplace_back();
      record.set_definition("scale_a");
      *record.mutable_workload() = WorkloadWithFile(uuid, content);
      state.blobs[Sha256Hex(content)] = content;
    });
  }

  FakeCoordinator fake_;
  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<Client> client_;
  std::string root_;
};

TEST_F(ExportTest, WhatIsStoredCanBeReadBack) {
  AddWorkload("w1", "content");
  fake_.Edit([](FakeCoordinator::State& state) {
    *AddTrace(state, "w1").mutable_trace()->mutable_workload() =
        WorkloadWithFile("w1", "content");
  });
  ASSERT_OK_AND_ASSIGN(const ExportReport report,
                       ExportTraceSet(*client_, root_, {}));
  EXPECT_EQ(report.definitions, 2);
  EXPECT_EQ(report.solutions, 2);
  EXPECT_EQ(report.workloads, 1);
  EXPECT_EQ(report.traces, 1);
  EXPECT_EQ(report.blobs, 1);
  ASSERT_OK_AND_ASSIGN(const TraceSet set, ReadTraceSet(root_));
  EXPECT_THAT(set.problems, IsEmpty());
  EXPECT_THAT(set.definitions, SizeIs(2));
  ASSERT_THAT(set.solutions, SizeIs(2));
  EXPECT_EQ(set.solutions[0].value.sources(0).content(),
            "def run(x, y):\n    y.copy_(x)\n");
  EXPECT_THAT(set.workloads, SizeIs(1));
  EXPECT_THAT(set.traces, SizeIs(1));
  EXPECT_THAT(ReadFile(root_ + "/blob/workloads/x.safetensors"),
              IsOkAndHolds("content"));
}

TEST_F(ExportTest, FilesOfOneNameAndOtherContentAreBothKept) {
  AddWorkload("w1", "one");
  AddWorkload("w2", "two");
  AddWorkload("w3", "two");
  ASSERT_OK_AND_ASSIGN(const ExportReport report,
                       ExportTraceSet(*client_, root_, {}));
  EXPECT_EQ(report.blobs, 2);
  ASSERT_OK_AND_ASSIGN(const TraceSet set, ReadTraceSet(root_));
  ASSERT_THAT(set.workloads, SizeIs(3));
  const std::string contents[] = {"one", "two", "two"};
  for (size_t i = 0; i < 3; ++i) {
    const std::string& path =
        set.workloads[i].value.workload().inputs(0).safetensors().path();
    EXPECT_THAT(ReadFile(root_ + "/" + path), IsOkAndHolds(contents[i]));
  }
}

TEST_F(ExportTest, TracesOfOtherRevisionsAreLeftOutAndCounted) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.solutions[0].set_digest("new");
    AddTrace(state, "w1").set_solution_digest("old");
    AddTrace(state, "w2").set_solution_digest("new");
    AddTrace(state, "w3").set_imported(true);
  });
  ASSERT_OK_AND_ASSIGN(const ExportReport report,
                       ExportTraceSet(*client_, root_, {}));
  EXPECT_EQ(report.traces, 2);
  EXPECT_EQ(report.traces_of_other_revisions, 1);
  ASSERT_OK_AND_ASSIGN(const TraceSet set, ReadTraceSet(root_));
  ASSERT_THAT(set.traces, SizeIs(2));
  EXPECT_EQ(set.traces[0].value.workload().uuid(), "w2");
  EXPECT_EQ(set.traces[1].value.workload().uuid(), "w3");
}

TEST_F(ExportTest, LostBlobOfTracesIsLeftOutAndCountedOnce) {
  fake_.Edit([](FakeCoordinator::State& state) {
    for (const char* uuid : {"w1", "w2"}) {
      v1::TraceRecord& record = AddTrace(state, uuid);
      record.set_imported(true);
      *record.mutable_trace()->mutable_workload() =
          WorkloadWithFile(uuid, "gone");
    }
  });
  ASSERT_OK_AND_ASSIGN(const ExportReport report,
                       ExportTraceSet(*client_, root_, {}));
  EXPECT_EQ(report.traces, 2);
  EXPECT_EQ(report.blobs, 0);
  EXPECT_EQ(report.blobs_missing, 1);
  ASSERT_OK_AND_ASSIGN(const TraceSet set, ReadTraceSet(root_));
  EXPECT_THAT(set.traces, SizeIs(2));
}

TEST_F(ExportTest, FailedDownloadOfATraceIsAnError) {
  fake_.Edit([](FakeCoordinator::State& state) {
    *AddTrace(state, "w1").mutable_trace()->mutable_workload() =
        WorkloadWithFile("w1", "content");
    state.errors["GetBlob"] = {absl::DataLossError("broken on disk")};
  });
  EXPECT_THAT(ExportTraceSet(*client_, root_, {}),
              StatusIs(absl::StatusCode::kDataLoss, testing::_));
}

TEST_F(ExportTest, ChosenDefinitionsOnly) {
  ExportOptions options;
  options.definitions = {"scale_b"};
  ASSERT_OK_AND_ASSIGN(const ExportReport report,
                       ExportTraceSet(*client_, root_, options));
  EXPECT_EQ(report.definitions, 1);
  EXPECT_EQ(report.solutions, 1);
}

TEST_F(ExportTest, UnknownDefinitionIsAnError) {
  ExportOptions options;
  options.definitions = {"nope"};
  EXPECT_THAT(ExportTraceSet(*client_, root_, options),
              StatusIs(absl::StatusCode::kNotFound, testing::_));
}

TEST_F(ExportTest, FolderWithContentIsLeftAlone) {
  ASSERT_OK(CreateDirectories(root_));
  ASSERT_OK(WriteFileAtomically(root_ + "/precious", "x"));
  EXPECT_THAT(ExportTraceSet(*client_, root_, {}),
              StatusIs(absl::StatusCode::kAlreadyExists, testing::_));
  EXPECT_THAT(ReadFile(root_ + "/precious"), IsOkAndHolds("x"));
}

TEST_F(ExportTest, LostBlobIsAnErrorThatNamesTheFile) {
  AddWorkload("w1", "content");
  fake_.Edit([](FakeCoordinator::State& state) { state.blobs.clear(); });
  EXPECT_THAT(
      ExportTraceSet(*client_, root_, {}),
      StatusIs(absl::StatusCode::kNotFound,
               testing::HasSubstr("downloading blob/workloads/x.safetensors")));
}

}  // namespace
}  // namespace assay
