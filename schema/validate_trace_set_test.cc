#include "schema/validate_trace_set.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/file.h"
#include "base/status_testing.h"
#include "schema/golden_testing.h"
#include "schema/trace_set.h"
#include "schema/validate_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kFile[] =
    "blob/workloads/scale/scale_rows_h4/weight.safetensors";

class ValidateTraceSetTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir temp, TempDir::Create("assay-validate-"));
    temp_ = std::make_unique<TempDir>(std::move(temp));
    CopyGoldenTraceSet(temp_->path());
    ASSERT_OK_AND_ASSIGN(set_, ReadTraceSet(temp_->path()));
  }

  v1::SafetensorsInput& file() {
    return *set_.workloads[1]
                .value.mutable_workload()
                ->mutable_inputs(1)
                ->mutable_safetensors();
  }

  std::unique_ptr<TempDir> temp_;
  TraceSet set_;
};

TEST_F(ValidateTraceSetTest, TheGoldenSetHasNoProblems) {
  EXPECT_THAT(Texts(ValidateTraceSet(set_)), IsEmpty());
}

TEST_F(ValidateTraceSetTest, EachFaultIsNamed) {
  const struct {
    std::function<void(TraceSet&)> change;
    const char* problem;
  } kCases[] = {
      {[](TraceSet& s) {
         s.problems.push_back({"a.json", "broken", false});
       },
       "error a.json: broken"},
      {[](TraceSet& s) {
         s.definitions[0].value.mutable_axes(1)->set_description("");
         s.definitions[0].value.add_tags("");
       },
       "error definitions/scale/scale_rows_h4.json: $.tags[1]: is empty"},
      {[](TraceSet& s) {
         s.definitions.push_back(
             {"definitions/b.json", s.definitions[0].value});
       },
       "error definitions/b.json: $.name: \"scale_rows_h4\" is also in "
       "definitions/scale/scale_rows_h4.json"},
      {[](TraceSet& s) {
         s.solutions.push_back({"solutions/b.json", s.solutions[0].value});
       },
       "error solutions/b.json: $.name: \"scale_rows_cpp\" is also in "},
      {[](TraceSet& s) { s.solutions[0].value.set_definition("other"); },
       "scale_rows_cpp.json: $.definition: unknown definition \"other\""},
      {[](TraceSet& s) {
         s.solutions[1].value.mutable_sources(0)->set_content(
             "def run(x): pass");
       },
       "scale_rows_python.json: $.spec.entry_point: \"run\" in \"main.py\" "
       "takes 1 parameters"},
      {[](TraceSet& s) { s.workloads[0].value.set_definition("other"); },
       "error workloads/scale/scale_rows_h4.jsonl:1: $.definition: unknown "},
      {[](TraceSet& s) {
         s.workloads[1].value.mutable_workload()->set_uuid(
             s.workloads[0].value.workload().uuid());
       },
       "error workloads/scale/scale_rows_h4.jsonl:2: $.workload.uuid: "},
      {[](TraceSet& s) {
         s.workloads[0].value.mutable_workload()->clear_axes();
       },
       "error workloads/scale/scale_rows_h4.jsonl:1: $.workload.axes.rows: is "
       "missing"},
      {[](TraceSet& s) {
         s.workloads[1].value.mutable_workload()->mutable_axes(0)->set_value(4);
       },
       "$.workload.inputs.weight: tensor \"weight\" in "
       "./blob/workloads/scale/scale_rows_h4/weight.safetensors has shape [3], "
       "the axes want [4]"},
      {[](TraceSet& s) {
         s.definitions[0].value.mutable_inputs(1)->set_dtype(v1::DTYPE_FLOAT16);
       },
       "has dtype float32, the definition wants float16"},
      {[](TraceSet& s) {
         s.traces[0].value.mutable_evaluation()->clear_status();
       },
       "error traces/scale/scale_rows_h4.jsonl:1: $.evaluation.status"},
      {[](TraceSet& s) { s.traces[0].value.set_solution("gone"); },
       "warning traces/scale/scale_rows_h4.jsonl:1: $.solution: unknown "
       "solution \"gone\""},
  };
  const TraceSet golden = set_;
  for (const auto& c : kCases) {
    set_ = golden;
    c.change(set_);
    EXPECT_THAT(ValidateTraceSet(set_), OnlyProblem(c.problem));
  }
}

TEST_F(ValidateTraceSetTest, AMissingFile) {
  file().set_path("blob/none.safetensors");
  EXPECT_THAT(ValidateTraceSet(set_),
              OnlyProblem("error workloads/scale/scale_rows_h4.jsonl:2: "
                          "$.workload.inputs.weight: opening "
                          "blob/none.safetensors: No such file"));
}

TEST_F(ValidateTraceSetTest, AMissingKey) {
  file().set_tensor_key("bias");
  EXPECT_THAT(ValidateTraceSet(set_),
              OnlyProblem("has no tensor \"bias\", use one of: weight"));
}

TEST_F(ValidateTraceSetTest, AGitLfsPointer) {
  ASSERT_OK(WriteFileAtomically(
      temp_->path() + "/" + kFile,
      "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 4\n"));
  EXPECT_THAT(ValidateTraceSet(set_), OnlyProblem("is a Git LFS pointer"));
}

TEST_F(ValidateTraceSetTest, ATruncatedFile) {
  std::filesystem::resize_file(temp_->path() + "/" + kFile, 20);
  EXPECT_THAT(ValidateTraceSet(set_), OnlyProblem("it is truncated"));
}

}  // namespace
}  // namespace assay
