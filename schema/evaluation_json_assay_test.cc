#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_testing.h"
#include "schema/json.h"
#include "schema/json_parser.h"
#include "schema/schema_testing.h"

namespace assay {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Fields of the message and of the messages in it that say nothing.
void FindUnset(const Message& message, std::set<std::string>& unset) {
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *message.GetDescriptor()->field(i);
    const google::protobuf::Reflection& fields = *message.GetReflection();
    const bool set = field.is_repeated() ? fields.FieldSize(message, &field) > 0
                                         : fields.HasField(message, &field);
    if (!set) {
      unset.insert(field.full_name());
    } else if (field.message_type() == nullptr || field.is_map()) {
      continue;
    } else if (!field.is_repeated()) {
      FindUnset(fields.GetMessage(message, &field), unset);
    } else {
      FindUnset(fields.GetRepeatedMessage(message, &field, 0), unset);
    }
  }
}

// So that the tests of round trips cover fields that come later, too.
TEST(EvaluationJsonAssayTest, SampleSetsEveryFieldThatIsWritten) {
  std::set<std::string> unset;
  FindUnset(PassedEvaluation(), unset);
  for (const char* expected :
       {"assay.v1.Evaluation.unknown_json", "assay.v1.Correctness.unknown_json",
        "assay.v1.Performance.unknown_json",
        "assay.v1.Environment.unknown_json", "assay.v1.Correctness.extra_json",
        "google.protobuf.Duration.nanos", "google.protobuf.Duration.seconds"}) {
    EXPECT_THAT(unset, Contains(expected));
    unset.erase(expected);
  }
  EXPECT_THAT(unset, IsEmpty());
}

Json TimingOf(const v1::Evaluation& evaluation) {
  const auto json = ParseJson(EvaluationToJson(evaluation));
  EXPECT_OK(json);
  return json.ok() ? (*json)["assay"]["timing"] : Json();
}

TEST(EvaluationJsonAssayTest, SteadinessStandsBesideTheSamples) {
  const Json timing = TimingOf(PassedEvaluation());
  EXPECT_EQ(timing["host_latency_ms"], 0.625);
  EXPECT_EQ(timing["unstable"], true);
  EXPECT_EQ(timing["repeats"], 2);
  EXPECT_EQ(timing["device_state"].dump(),
            R"({"min_sm_clock_mhz":1755,"max_sm_clock_mhz":1980,)"
            R"("memory_clock_mhz":2619,"max_temperature_c":71,)"
            R"("throttle_reasons":["power_cap","thermal"]})");
}

TEST(EvaluationJsonAssayTest, WhatWasNotMeasuredIsAbsent) {
  v1::Evaluation evaluation = PassedEvaluation();
  v1::Performance& performance = *evaluation.mutable_performance();
  performance.clear_host_latency_ms();
  performance.clear_unstable();
  performance.clear_repeats();
  performance.clear_device_state();
  const Json timing = TimingOf(evaluation);
  for (const char* name :
       {"host_latency_ms", "unstable", "repeats", "device_state"}) {
    EXPECT_FALSE(timing.contains(name)) << name;
  }
}

TEST(EvaluationJsonAssayTest, EachPartOfTheTimingIsKeptByItself) {
  v1::Performance host;
  host.set_host_latency_ms(0.5);
  v1::Performance unstable;
  unstable.set_unstable(true);
  v1::Performance repeated;
  repeated.set_repeats(1);
  // A device that could tell, and had nothing to say.
  v1::Performance state;
  state.mutable_device_state();
  for (const v1::Performance& performance : {host, unstable, repeated, state}) {
    v1::Evaluation evaluation = PassedEvaluation();
    *evaluation.mutable_performance() = performance;
    ASSERT_OK_AND_ASSIGN(const v1::Evaluation read,
                         EvaluationFromJson(EvaluationToJson(evaluation)));
    EXPECT_TRUE(MessageDifferencer::Equals(read.performance(), performance))
        << performance.ShortDebugString();
  }
}

TEST(EvaluationJsonAssayTest, MatchedRatioGoesWithCorrectness) {
  v1::Evaluation evaluation = PassedEvaluation();
  evaluation.mutable_correctness()->set_matched_ratio(0.75);
  ASSERT_OK_AND_ASSIGN(const v1::Evaluation read,
                       EvaluationFromJson(EvaluationToJson(evaluation)));
  EXPECT_EQ(read.correctness().matched_ratio(), 0.75);
  evaluation.mutable_correctness()->clear_matched_ratio();
  ASSERT_OK_AND_ASSIGN(const v1::Evaluation without,
                       EvaluationFromJson(EvaluationToJson(evaluation)));
  EXPECT_FALSE(without.correctness().has_matched_ratio());
  EXPECT_THAT(
      std::string(EvaluationFromJson(R"({"assay": {"matched_ratio": 1}})")
                      .status()
                      .message()),
      HasSubstr("$.assay.matched_ratio: is given without \"correctness\""));
}

TEST(EvaluationJsonAssayTest, FaultsOfTheTimingAreNamed) {
  const struct {
    const char* members;
    const char* message;
  } kCases[] = {
      {R"("host_latency_ms": "long")",
       "$.assay.timing.host_latency_ms: must be a number, not \"long\""},
      {R"("unstable": 1)",
       "$.assay.timing.unstable: must be true or false, not 1"},
      {R"("repeats": 0.5)", "$.assay.timing.repeats: must be an integer"},
      {R"("device_state": [])",
       "$.assay.timing.device_state: must be an object, not an array"},
      {R"("device_state": {"max_sm_clock_mhz": "fast"})",
       "$.assay.timing.device_state.max_sm_clock_mhz: must be an integer"},
      {R"("device_state": {"throttle_reasons": "thermal"})",
       "$.assay.timing.device_state.throttle_reasons: must be an array"},
      {R"("device_state": {"throttle_reasons": ["thermal", "moon"]})",
       "$.assay.timing.device_state.throttle_reasons: unknown reason \"moon\", "
       "use some of: hardware_slowdown, power_brake, power_cap, sync_boost, "
       "thermal"},
  };
  for (const auto& c : kCases) {
    const std::string text = absl::StrCat(
        R"({"performance": {}, "assay": {"timing": {)", c.members, "}}}");
    const absl::Status status = EvaluationFromJson(text).status();
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << text;
  }
}

}  // namespace
}  // namespace assay
