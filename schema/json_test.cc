#include "schema/json.h"

#include <google/protobuf/util/message_differencer.h>

#include <cmath>
#include <string>

#include "base/file.h"
#include "base/status_testing.h"
#include "schema/json_parser.h"
#include "schema/schema_testing.h"

namespace assay {
namespace {

using google::protobuf::util::MessageDifferencer;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

MATCHER_P(EqualsProto, expected, "equals " + expected.ShortDebugString()) {
  std::string difference;
  MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&difference);
  const bool same = differencer.Compare(expected, arg);
  *result_listener << difference;
  return same;
}

constexpr char kDefinition[] = R"({
  "name": "scale", "op_type": "scale", "description": "d", "tags": ["t"],
  "axes": {"n": {"type": "var", "description": "rows", "parent": "m"},
           "m": {"type": "const", "value": 16}},
  "inputs": {"y": {"shape": ["n", "m"], "dtype": "float8_e4m3"},
             "a": {"shape": [], "dtype": "int64", "description": "zero-D"},
             "factor": {"shape": null, "dtype": "float32"}},
  "outputs": {"b": {"shape": ["n"], "dtype": "float4_e2m1"}},
  "reference": "def run(y, a, factor): pass", "constraints": ["n > 0"]
})";

TEST(DefinitionJsonTest, ReadsEveryMember) {
  ASSERT_OK_AND_ASSIGN(const v1::Definition definition,
                       DefinitionFromJson(kDefinition));
  EXPECT_EQ(definition.name(), "scale");
  EXPECT_EQ(definition.op_type(), "scale");
  EXPECT_EQ(definition.description(), "d");
  EXPECT_THAT(definition.tags(), ElementsAre("t"));
  EXPECT_THAT(definition.constraints(), ElementsAre("n > 0"));
  EXPECT_EQ(definition.reference(), "def run(y, a, factor): pass");
  ASSERT_EQ(definition.axes_size(), 2);
  EXPECT_EQ(definition.axes(0).name(), "n");
  EXPECT_EQ(definition.axes(0).kind(), v1::Axis::VAR);
  EXPECT_EQ(definition.axes(0).description(), "rows");
  EXPECT_EQ(definition.axes(0).parent(), "m");
  EXPECT_EQ(definition.axes(1).kind(), v1::Axis::CONST);
  EXPECT_EQ(definition.axes(1).value(), 16);
  ASSERT_EQ(definition.outputs_size(), 1);
  EXPECT_EQ(definition.outputs(0).dtype(), v1::DTYPE_FLOAT4_E2M1FN_X2);
}

TEST(DefinitionJsonTest, InputsKeepTheCallOrder) {
  ASSERT_OK_AND_ASSIGN(const v1::Definition definition,
                       DefinitionFromJson(kDefinition));
  ASSERT_EQ(definition.inputs_size(), 3);
  EXPECT_EQ(definition.inputs(0).name(), "y");
  EXPECT_EQ(definition.inputs(1).name(), "a");
  EXPECT_EQ(definition.inputs(2).name(), "factor");
}

TEST(DefinitionJsonTest, NullShapeIsAScalarAndEmptyShapeIsNot) {
  ASSERT_OK_AND_ASSIGN(const v1::Definition definition,
                       DefinitionFromJson(kDefinition));
  EXPECT_FALSE(definition.inputs(0).is_scalar());
  EXPECT_FALSE(definition.inputs(1).is_scalar());
  EXPECT_TRUE(definition.inputs(2).is_scalar());
}

TEST(DefinitionJsonTest, RoundTripKeepsEverything) {
  ASSERT_OK_AND_ASSIGN(const v1::Definition definition,
                       DefinitionFromJson(kDefinition));
  for (const JsonStyle style : {JsonStyle::kCompact, JsonStyle::kPretty}) {
    EXPECT_THAT(DefinitionFromJson(DefinitionToJson(definition, style)),
                IsOkAndHolds(EqualsProto(definition)));
  }
}

TEST(DefinitionJsonTest, TheOlderNameOfOpTypeIsRead) {
  ASSERT_OK_AND_ASSIGN(
      const v1::Definition definition,
      DefinitionFromJson(R"({"name": "a", "type": "gemm", "axes": {},
                             "inputs": {}, "outputs": {}})"));
  EXPECT_EQ(definition.op_type(), "gemm");
  EXPECT_EQ(definition.unknown_json(), "");
}

TEST(DefinitionJsonTest, UnknownMembersSurviveInTheirOrder) {
  ASSERT_OK_AND_ASSIGN(
      const v1::Definition definition,
      DefinitionFromJson(
          R"({"z": [1, {"k": null}], "name": "a", "op_type": "b",
              "axes": {"n": {"type": "var", "unit": "rows"}},
              "inputs": {"x": {"shape": ["n"], "dtype": "bool", "layout": 1}},
              "outputs": {}, "a": 1.0})"));
  EXPECT_EQ(definition.unknown_json(), R"({"z":[1,{"k":null}],"a":1.0})");
  EXPECT_EQ(definition.axes(0).unknown_json(), R"({"unit":"rows"})");
  EXPECT_EQ(definition.inputs(0).unknown_json(), R"({"layout":1})");
  EXPECT_THAT(DefinitionFromJson(DefinitionToJson(definition)),
              IsOkAndHolds(EqualsProto(definition)));
}

TEST(DefinitionJsonTest, WrongTypesAreNamedWithPathAndValue) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"[]", "$: must be an object, not an array"},
      {"null", "$: must be an object, not null"},
      {R"({"name": 1})", "$.name: must be a string, not 1"},
      {R"({"name": null})", "$.name: must be a string, not null"},
      {R"({"name": "a"})", "$: member \"op_type\" is missing, add it"},
      {R"({"axes": []})", "$.axes: must be an object, not an array"},
      {R"({"axes": {"n": 4}})", "$.axes.n: must be an object, not 4"},
      {R"({"axes": {"n": {}}})", "$.axes.n: member \"type\" is missing"},
      {R"({"axes": {"n": {"type": "expr"}}})",
       "$.axes.n.type: unknown type of axis \"expr\", use \"const\" or"},
      {R"({"axes": {"n": {"type": "const"}}})",
       "$.axes.n: member \"value\" is missing"},
      {R"({"axes": {"n": {"type": "const", "value": 1.5}}})",
       "$.axes.n.value: must be an integer of at most 63 bits, not 1.5"},
      {R"({"axes": {"n": {"type": "const", "value": "4"}}})",
       "$.axes.n.value: must be an integer of at most 63 bits, not \"4\""},
      {R"({"axes": {"n": {"type": "const", "value": 9223372036854775808}}})",
       "not 9223372036854775808"},
      {R"({"axes": {"n": {"type": "const", "value": true}}})", "not true"},
      {R"({"axes": {"a b": 4}})", "$.axes[\"a b\"]: must be an object"},
      {R"({"inputs": {"x": {"shape": "n", "dtype": "bool"}}})",
       "$.inputs.x.shape: must be an array, not \"n\""},
      {R"({"inputs": {"x": {"shape": ["n", 4], "dtype": "bool"}}})",
       "$.inputs.x.shape[1]: must be a string, not 4"},
      {R"({"inputs": {"x": {"dtype": "bool"}}})",
       "$.inputs.x: member \"shape\" is missing"},
      {R"({"inputs": {"x": {"shape": null, "dtype": "float"}}})",
       "$.inputs.x.dtype: unknown dtype \"float\", use one of: float64, "},
      {R"({"axes": {"n": {"type": ""}}})",
       "$.axes.n.type: unknown type of axis \"\""},
      {R"({"inputs": {"x": {"shape": null, "dtype": ""}}})",
       "$.inputs.x.dtype: unknown dtype \"\""},
      {R"({"tags": "a"})", "$.tags: must be an array, not \"a\""},
      {R"({"constraints": [null]})",
       "$.constraints[0]: must be a string, not null"},
      {R"({"reference": {}})", "$.reference: must be a string, not an object"},
  };
  for (const auto& c : kCases) {
    // Missing members of the small text would crowd out the one looked for.
    const std::string text = c.text;
    const absl::Status status = DefinitionFromJson(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << text;
  }
}

TEST(DefinitionJsonTest, SeveralFaultsAreReportedAtOnce) {
  EXPECT_THAT(DefinitionFromJson(
                  R"({"name": 1, "op_type": 2, "axes": {}, "inputs": {},
              "outputs": 3})"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("$.name"), HasSubstr("$.op_type"),
                             HasSubstr("$.outputs"))));
}

constexpr char kSolution[] = R"({
  "name": "s", "definition": "d", "author": "a", "description": "text",
  "spec": {"language": "cuda", "target_hardware": ["cuda"],
           "entry_point": "k.cu::f", "destination_passing_style": false,
           "binding": "torch", "dependencies": ["cublas"],
           "compile_options": ["-O3"], "future": 1},
  "sources": [{"path": "k.cu", "content": "code\n", "mode": "644"},
              {"path": "a.h", "content": ""}]
})";

TEST(SolutionJsonTest, ReadsEveryMember) {
  ASSERT_OK_AND_ASSIGN(const v1::Solution solution,
                       SolutionFromJson(kSolution));
  const v1::BuildSpec& spec = solution.spec();
  EXPECT_EQ(solution.name(), "s");
  EXPECT_EQ(solution.definition(), "d");
  EXPECT_EQ(solution.author(), "a");
  EXPECT_EQ(solution.description(), "text");
  EXPECT_EQ(spec.language(), v1::BuildSpec::CUDA);
  EXPECT_THAT(spec.target_hardware(), ElementsAre("cuda"));
  EXPECT_EQ(spec.entry_point(), "k.cu::f");
  EXPECT_FALSE(spec.destination_passing_style());
  EXPECT_EQ(spec.binding(), v1::BuildSpec::TORCH);
  EXPECT_THAT(spec.dependencies(), ElementsAre("cublas"));
  EXPECT_THAT(spec.compile_options(), ElementsAre("-O3"));
  EXPECT_EQ(spec.unknown_json(), R"({"future":1})");
  ASSERT_EQ(solution.sources_size(), 2);
  EXPECT_EQ(solution.sources(0).content(), "code\n");
  EXPECT_EQ(solution.sources(0).unknown_json(), R"({"mode":"644"})");
  EXPECT_THAT(SolutionFromJson(SolutionToJson(solution)),
              IsOkAndHolds(EqualsProto(solution)));
}

TEST(SolutionJsonTest, WhatIsLeftOutTakesItsDefault) {
  ASSERT_OK_AND_ASSIGN(const v1::Solution solution,
                       SolutionFromJson(
                           R"({"name": "s", "definition": "d", "author": "a",
              "spec": {"language": "cpp", "target_hardware": ["cpu"],
                       "entry_point": "k.cpp::f", "binding": null},
              "sources": [{"path": "k.cpp"}]})"));
  EXPECT_TRUE(solution.spec().destination_passing_style());
  EXPECT_EQ(solution.spec().binding(), v1::BuildSpec::BINDING_UNSPECIFIED);
  EXPECT_EQ(solution.sources(0).content(), "");
}

TEST(SolutionJsonTest, UnknownWordsAreNamed) {
  const struct {
    const char* spec;
    const char* message;
  } kCases[] = {
      {R"("language": "")", "$.spec.language: unknown language \"\""},
      {R"("language": "rust")",
       "$.spec.language: unknown language \"rust\", use one of: python, "},
      {R"("language": "cpp", "binding": "pybind")",
       "$.spec.binding: unknown binding \"pybind\", use one of: tvm-ffi, "},
      {R"("language": "cpp", "destination_passing_style": "yes")",
       "$.spec.destination_passing_style: must be true or false, not \"yes\""},
      {R"("language": "cpp", "target_hardware": "cpu")",
       "$.spec.target_hardware: must be an array, not \"cpu\""},
  };
  for (const auto& c : kCases) {
    const std::string text = std::string("{\"spec\": {") + c.spec + "}}";
    const absl::Status status = SolutionFromJson(text).status();
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << text;
  }
}

TEST(WorkloadJsonTest, ScalarsKeepTheirType) {
  ASSERT_OK_AND_ASSIGN(const v1::Workload workload,
                       WorkloadFromJson(R"({"uuid": "u", "axes": {}, "inputs": {
        "i": {"type": "scalar", "value": 1},
        "f": {"type": "scalar", "value": 1.0},
        "b": {"type": "scalar", "value": true},
        "inf": {"type": "scalar", "value": "-Infinity"}}})"));
  EXPECT_EQ(workload.inputs(0).scalar().int_value(), 1);
  EXPECT_TRUE(workload.inputs(1).scalar().has_float_value());
  EXPECT_TRUE(workload.inputs(2).scalar().bool_value());
  EXPECT_EQ(workload.inputs(3).scalar().float_value(), -INFINITY);
  EXPECT_EQ(WorkloadToJson(workload),
            R"({"uuid":"u","axes":{},"inputs":{)"
            R"("i":{"type":"scalar","value":1},)"
            R"("f":{"type":"scalar","value":1.0},)"
            R"("b":{"type":"scalar","value":true},)"
            R"("inf":{"type":"scalar","value":"-Infinity"}}})");
}

TEST(WorkloadJsonTest, RoundTripKeepsEverything) {
  const std::string text =
      R"({"uuid":"u","axes":{"n":4,"m":0},"inputs":{"x":{"type":"random",)"
      R"("seed":7},"w":{"type":"safetensors","path":"./a","tensor_key":"k",)"
      R"("sha256":"ff","size_bytes":9}},"target_hardware":["cpu"],"note":1})";
  ASSERT_OK_AND_ASSIGN(const v1::Workload workload, WorkloadFromJson(text));
  EXPECT_EQ(workload.inputs(1).safetensors().size_bytes(), 9);
  EXPECT_THAT(workload.target_hardware(), ElementsAre("cpu"));
  EXPECT_EQ(WorkloadToJson(workload), text);
}

TEST(WorkloadJsonTest, FaultsAreNamed) {
  const struct {
    const char* members;
    const char* message;
  } kCases[] = {
      {R"("axes": {"n": "4"})",
       "$.axes.n: must be an integer of at most 63 bits, not \"4\""},
      {R"("axes": {"n": 4.0})", "$.axes.n: must be an integer"},
      {R"("axes": {"n": null})", "$.axes.n: must be an integer"},
      {R"("inputs": {"x": {"type": "zeros"}})",
       "$.inputs.x.type: unknown type of input \"zeros\", use \"random\", "},
      {R"("inputs": {"x": {"type": "scalar"}})",
       "$.inputs.x: member \"value\" is missing"},
      {R"("inputs": {"x": {"type": "scalar", "value": "1"}})",
       "$.inputs.x.value: must be a number, true or false, not \"1\""},
      {R"("inputs": {"x": {"type": "scalar", "value": 1e400}})", "1e400"},
      {R"("inputs": {"x": {"type": "scalar", "value": 18446744073709551615}})",
       "$.inputs.x.value: must be an integer of at most 63 bits"},
      {R"("inputs": {"x": {"type": "safetensors", "path": "a"}})",
       "$.inputs.x: member \"tensor_key\" is missing"},
      {R"("inputs": {"x": "random"})",
       "$.inputs.x: must be an object, not \"random\""},
  };
  for (const auto& c : kCases) {
    const std::string text = std::string("{") + c.members + "}";
    const absl::Status status = WorkloadFromJson(text).status();
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << text;
  }
}

TEST(EvaluationJsonTest, RoundTripKeepsAllThatAssayAdds) {
  const v1::Evaluation evaluation = PassedEvaluation();
  EXPECT_THAT(EvaluationFromJson(EvaluationToJson(evaluation)),
              IsOkAndHolds(EqualsProto(evaluation)));
}

// The members of an object, in order.
std::vector<std::string> Members(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

TEST(EvaluationJsonTest, HasExactlyTheMembersOfTheSchemaAndOneMore) {
  ASSERT_OK_AND_ASSIGN(const Json json,
                       ParseJson(EvaluationToJson(PassedEvaluation())));
  EXPECT_THAT(Members(json),
              ElementsAre("status", "environment", "timestamp", "log",
                          "correctness", "performance", "assay"));
  EXPECT_THAT(Members(json["environment"]), ElementsAre("hardware", "libs"));
  EXPECT_THAT(Members(json["correctness"]),
              ElementsAre("max_relative_error", "max_absolute_error", "extra"));
  EXPECT_THAT(
      Members(json["performance"]),
      ElementsAre("latency_ms", "reference_latency_ms", "speedup_factor"));
  EXPECT_EQ(json["status"], "PASSED");
  EXPECT_EQ(json["timestamp"], "2026-01-31T12:00:00.250000+00:00");
}

TEST(EvaluationJsonTest, AFailureHasNullForWhatWasNotMeasured) {
  v1::Evaluation evaluation;
  evaluation.set_status(v1::COMPILE_ERROR);
  evaluation.mutable_environment()->set_hardware("X");
  evaluation.set_log("no");
  EXPECT_EQ(EvaluationToJson(evaluation),
            R"({"status":"COMPILE_ERROR","environment":{"hardware":"X",)"
            R"("libs":{}},"timestamp":"1970-01-01T00:00:00.000000+00:00",)"
            R"("log":"no","correctness":null,"performance":null})");
}

TEST(EvaluationJsonTest, ErrorsThatAreNotFiniteAreStrings) {
  v1::Evaluation evaluation = PassedEvaluation();
  evaluation.mutable_correctness()->set_max_relative_error(NAN);
  evaluation.mutable_correctness()->set_max_absolute_error(INFINITY);
  const std::string text = EvaluationToJson(evaluation);
  EXPECT_THAT(text, HasSubstr(R"("max_relative_error":"NaN",)"
                              R"("max_absolute_error":"Infinity")"));
  ASSERT_OK_AND_ASSIGN(const v1::Evaluation read, EvaluationFromJson(text));
  EXPECT_TRUE(std::isnan(read.correctness().max_relative_error()));
  EXPECT_EQ(read.correctness().max_absolute_error(), INFINITY);
}

TEST(EvaluationJsonTest, ALogThatIsNoUtf8IsRepaired) {
  v1::Evaluation evaluation = PassedEvaluation();
  evaluation.set_log("a\xff");
  EXPECT_THAT(EvaluationToJson(evaluation),
              HasSubstr("\"log\":\"a\xef\xbf\xbd"));
}

TEST(EvaluationJsonTest, UnknownMembersSurvive) {
  const std::string text =
      R"({"status":"TIMEOUT","environment":{"hardware":"X","libs":{"a":"1"},)"
      R"("node":"n1"},"timestamp":"2026-01-31T12:00:00.000000+00:00",)"
      R"("log":"","correctness":null,"performance":null,)"
      R"("assay":{"seed":"ff","later":{"x":1}},"log_file":"run.log"})";
  ASSERT_OK_AND_ASSIGN(const v1::Evaluation read, EvaluationFromJson(text));
  EXPECT_EQ(read.seed(), "ff");
  EXPECT_EQ(EvaluationToJson(read), text);
}

TEST(EvaluationJsonTest, OlderSpellingsAreRead) {
  ASSERT_OK_AND_ASSIGN(const v1::Evaluation read,
                       EvaluationFromJson(
                           R"({"status": "PASSED", "log_file": "a.log",
              "environment": {"device": "NVIDIA_H100", "libs": {}},
              "timestamp": "2025-06-27T12:45:00Z",
              "correctness": {"max_relative_error": null},
              "performance": {"latency_ms": 1}})"));
  EXPECT_EQ(read.environment().hardware(), "NVIDIA_H100");
  EXPECT_EQ(read.timestamp().seconds(), 1751028300);
  EXPECT_TRUE(std::isnan(read.correctness().max_relative_error()));
  EXPECT_EQ(read.correctness().max_absolute_error(), 0);
  EXPECT_EQ(read.performance().latency_ms(), 1);
}

TEST(EvaluationJsonTest, ReadsTimesAsTheyAreWritten) {
  const struct {
    const char* text;
    int64_t seconds;
    int32_t nanos;
  } kCases[] = {
      {"2026-01-31T12:00:00Z", 1769860800, 0},
      {"2026-01-31T12:00:00.25+00:00", 1769860800, 250000000},
      {"2026-01-31T14:00:00+02:00", 1769860800, 0},
      {"2026-01-31T12:00:00.123456", 1769860800, 123456000},
      {"2026-01-31 12:00:00", 1769860800, 0},
      {"1969-12-31T23:59:59.5Z", -1, 500000000},
  };
  for (const auto& c : kCases) {
    ASSERT_OK_AND_ASSIGN(const v1::Evaluation read,
                         EvaluationFromJson(std::string(R"({"status": "TIMEOUT",
            "environment": {"hardware": "X"}, "timestamp": ")") +
                                            c.text + "\"}"));
    EXPECT_EQ(read.timestamp().seconds(), c.seconds) << c.text;
    EXPECT_EQ(read.timestamp().nanos(), c.nanos) << c.text;
  }
}

TEST(EvaluationJsonTest, FaultsAreNamed) {
  const struct {
    const char* members;
    const char* message;
  } kCases[] = {
      {R"("status": "FAILED")", "$.status: unknown status \"FAILED\", use"},
      {R"("status": "")", "$.status: unknown status \"\""},
      {R"("timestamp": "")", "$.timestamp: \"\" is no time"},
      {R"("status": "EVALUATION_STATUS_UNSPECIFIED")", "unknown status"},
      {R"("timestamp": "yesterday")", "$.timestamp: \"yesterday\" is no time"},
      {R"("timestamp": "infinite-future")", "is no time"},
      {R"("environment": {"hardware": "X", "libs": {"torch": 2}})",
       "$.environment.libs.torch: must be a string, not 2"},
      {R"("performance": {"latency_ms": "fast"})",
       "$.performance.latency_ms: must be a number, not \"fast\""},
      {R"("correctness": {"extra": []})",
       "$.correctness.extra: must be an object, not an array"},
      {R"("assay": {"timing": {}})", "$.assay.timing: is given without"},
      {R"("assay": {"config": {"iterations": 3000000000}})",
       "$.assay.config.iterations: must be an integer of at most 31 bits"},
      {R"("assay": {"config": {"run_timeout_s": -1}})",
       "$.assay.config.run_timeout_s: must be from 0 to 1e9 seconds, not -1"},
      {R"("assay": {"findings": [{"rule": "r", "effect": "shrug"}]})",
       "$.assay.findings[0].effect: unknown effect \"shrug\""},
      {R"("performance": {}, "assay": {"timing": {"timer": "sundial"}})",
       "$.assay.timing.timer: unknown timer \"sundial\""},
  };
  for (const auto& c : kCases) {
    const std::string text = std::string("{") + c.members + "}";
    const absl::Status status = EvaluationFromJson(text).status();
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << text;
  }
}

TEST(TraceJsonTest, RoundTripKeepsEverything) {
  v1::Trace trace = ScaleTrace();
  trace.set_unknown_json(R"({"run":"r1"})");
  EXPECT_THAT(TraceFromJson(TraceToJson(trace)),
              IsOkAndHolds(EqualsProto(trace)));
}

TEST(TraceJsonTest, AWorkloadAloneHasNullForTheRest) {
  v1::Trace trace = ScaleTrace();
  trace.clear_solution();
  trace.clear_evaluation();
  const std::string text = TraceToJson(trace);
  EXPECT_THAT(text, testing::EndsWith(R"("solution":null,"evaluation":null})"));
  EXPECT_THAT(TraceFromJson(text), IsOkAndHolds(EqualsProto(trace)));
}

TEST(TraceJsonTest, PathsLeadIntoTheParts) {
  EXPECT_THAT(TraceFromJson(R"({"definition": "d", "workload": {"uuid": "u",
                        "axes": {"n": "x"}, "inputs": {}}})"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("$.workload.axes.n: must be an integer")));
}

TEST(TraceJsonTest, GoldenTracesAreWrittenAsTheyWereRead) {
  ASSERT_OK_AND_ASSIGN(
      const std::string text,
      ReadFile("schema/testdata/trace_set/traces/scale/scale_rows_h4.jsonl"));
  std::string written;
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = text.find('\n', start);
    ASSERT_OK_AND_ASSIGN(const v1::Trace trace,
                         TraceFromJson(text.substr(start, end - start)));
    written += TraceToJson(trace) + "\n";
    start = end + 1;
  }
  EXPECT_EQ(written, text);
}

}  // namespace
}  // namespace assay
