#include "schema/trace_set_writer.h"

#include <filesystem>
#include <memory>
#include <string>

#include "base/file.h"
#include "base/status_testing.h"
#include "schema/golden_testing.h"
#include "schema/json.h"
#include "schema/schema_testing.h"
#include "schema/validate_testing.h"
#include "schema/validate_trace_set.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class TraceSetWriterTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir temp, TempDir::Create("assay-writer-"));
    temp_ = std::make_unique<TempDir>(std::move(temp));
    ASSERT_OK_AND_ASSIGN(writer_, TraceSetWriter::Create(Path("set")));
  }
  std::string Path(const std::string& relative) const {
    return temp_->path() + "/" + relative;
  }

  std::unique_ptr<TempDir> temp_;
  std::unique_ptr<TraceSetWriter> writer_;
};

TEST_F(TraceSetWriterTest, WritesWhereTheSchemaWantsIt) {
  ASSERT_OK(writer_->AddDefinition(ScaleDefinition()));
  ASSERT_OK(writer_->AddSolution(ScaleSolution()));
  ASSERT_OK(writer_->AddWorkload("scale", ScaleWorkload()));
  ASSERT_OK(writer_->AddTrace(ScaleTrace()));
  ASSERT_OK(writer_->AddBlob("./blob/workloads/a", "data"));
  for (const char* path :
       {"set/definitions/scale/scale.json",
        "set/solutions/assay/scale/scale/scale_c.json",
        "set/workloads/scale/scale.jsonl", "set/traces/scale/scale.jsonl",
        "set/blob/workloads/a"}) {
    EXPECT_TRUE(std::filesystem::is_regular_file(Path(path))) << path;
  }
}

TEST_F(TraceSetWriterTest, WhatIsWrittenReadsBack) {
  ASSERT_OK(writer_->AddDefinition(ScaleDefinition()));
  ASSERT_OK(writer_->AddSolution(ScaleSolution()));
  ASSERT_OK(writer_->AddWorkload("scale", ScaleWorkload()));
  ASSERT_OK(writer_->AddTrace(ScaleTrace()));
  ASSERT_OK(writer_->AddTrace(ScaleTrace()));
  ASSERT_OK_AND_ASSIGN(const TraceSet set, ReadTraceSet(Path("set")));
  EXPECT_THAT(Texts(ValidateTraceSet(set)), IsEmpty());
  ASSERT_THAT(set.traces, SizeIs(2));
  EXPECT_EQ(TraceToJson(set.traces[1].value), TraceToJson(ScaleTrace()));
  ASSERT_THAT(set.definitions, SizeIs(1));
  EXPECT_EQ(DefinitionToJson(set.definitions[0].value),
            DefinitionToJson(ScaleDefinition()));
}

TEST_F(TraceSetWriterTest, AFolderWithContentIsRefused) {
  ASSERT_OK(WriteFileAtomically(Path("set/other"), "x"));
  EXPECT_THAT(
      TraceSetWriter::Create(Path("set")),
      StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("is not empty")));
}

TEST_F(TraceSetWriterTest, ADefinitionComesFirst) {
  const auto wants_definition =
      StatusIs(absl::StatusCode::kFailedPrecondition,
               HasSubstr("\"scale\" is not in the trace set"));
  EXPECT_THAT(writer_->AddSolution(ScaleSolution()), wants_definition);
  EXPECT_THAT(writer_->AddWorkload("scale", ScaleWorkload()), wants_definition);
  EXPECT_THAT(writer_->AddTrace(ScaleTrace()), wants_definition);
}

TEST_F(TraceSetWriterTest, TheSameNameTwiceIsRefused) {
  ASSERT_OK(writer_->AddDefinition(ScaleDefinition()));
  ASSERT_OK(writer_->AddSolution(ScaleSolution()));
  EXPECT_THAT(writer_->AddDefinition(ScaleDefinition()),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("scale")));
  v1::Solution other = ScaleSolution();
  other.set_author("other");
  EXPECT_THAT(
      writer_->AddSolution(other),
      StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("\"scale_c\"")));
}

TEST_F(TraceSetWriterTest, NamesCannotLeaveTheFolder) {
  v1::Definition definition = ScaleDefinition();
  definition.set_op_type("../../up");
  EXPECT_THAT(
      writer_->AddDefinition(definition),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("$.op_type")));
  ASSERT_OK(writer_->AddDefinition(ScaleDefinition()));
  v1::Solution solution = ScaleSolution();
  solution.set_author("..");
  EXPECT_THAT(
      writer_->AddSolution(solution),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("$.author")));
  for (const char* path : {"../a", "/a", "blob/../../a", "", "definitions/a",
                           "./traces/scale/scale.jsonl"}) {
    EXPECT_THAT(writer_->AddBlob(path, ""),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"")))
        << path;
  }
}

TEST_F(TraceSetWriterTest, ATraceKeepsThePresenceRules) {
  ASSERT_OK(writer_->AddDefinition(ScaleDefinition()));
  v1::Trace trace = ScaleTrace();
  trace.mutable_evaluation()->set_status(v1::TIMEOUT);
  EXPECT_THAT(writer_->AddTrace(trace),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("$.evaluation.correctness")));
  trace.clear_evaluation();
  trace.clear_solution();
  EXPECT_THAT(writer_->AddTrace(trace),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("has no evaluation")));
}

TEST_F(TraceSetWriterTest, ABlobIsWrittenOnce) {
  ASSERT_OK(writer_->AddBlob("blob/a", "data"));
  EXPECT_OK(writer_->AddBlob("./blob/a", "data"));
  EXPECT_THAT(writer_->AddBlob("blob/a", "other"),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       HasSubstr("with other content")));
}

TEST_F(TraceSetWriterTest, CopiesAWholeSetWithItsFiles) {
  CopyGoldenTraceSet(Path("golden"));
  ASSERT_OK_AND_ASSIGN(const TraceSet golden, ReadTraceSet(Path("golden")));
  ASSERT_OK(WriteTraceSet(golden, Path("copy")));
  ASSERT_OK_AND_ASSIGN(const TraceSet copy, ReadTraceSet(Path("copy")));
  EXPECT_THAT(Texts(ValidateTraceSet(copy)), IsEmpty());
  EXPECT_THAT(copy.solutions, SizeIs(golden.solutions.size()));
  EXPECT_THAT(copy.workloads, SizeIs(golden.workloads.size()));
  EXPECT_THAT(copy.traces, SizeIs(golden.traces.size()));
}

TEST_F(TraceSetWriterTest, AMissingFileIsNamed) {
  CopyGoldenTraceSet(Path("golden"));
  ASSERT_OK_AND_ASSIGN(TraceSet golden, ReadTraceSet(Path("golden")));
  golden.root = temp_->path();
  EXPECT_THAT(
      WriteTraceSet(golden, Path("copy")),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("weight.safetensors")));
}

}  // namespace
}  // namespace assay
