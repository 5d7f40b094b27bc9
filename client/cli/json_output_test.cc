#include "client/cli/json_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "assay/v1/evaluation_service.pb.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

TEST(JsonOutputTest, NamesAreThoseOfTheProtosAndEveryFieldIsThere) {
  v1::Submission submission;
  submission.set_id("sub-1");
  submission.set_create_time_us(1234567890123456);
  EXPECT_EQ(Json(submission).Line(),
            R"({"id":"sub-1","definition":"","solution":"",)"
            R"("solution_digest":"","author":"","priority":0,)"
            R"("create_time_us":"1234567890123456","queued":0,"running":0,)"
            R"("completed":0,"failed":0,"cancelled":0,"skipped":[]})");
}

TEST(JsonOutputTest, EnumsAreWords) {
  v1::Evaluation evaluation;
  evaluation.set_status(v1::INCORRECT_NUMERICAL);
  EXPECT_THAT(Json(evaluation).Line(),
              HasSubstr(R"("status":"INCORRECT_NUMERICAL")"));
}

TEST(JsonOutputTest, NumbersBeyondJsonAreWords) {
  v1::Correctness correctness;
  correctness.set_max_absolute_error(std::numeric_limits<double>::infinity());
  EXPECT_THAT(Json(correctness).Line(),
              HasSubstr(R"("max_absolute_error":"Infinity")"));
}

TEST(JsonOutputTest, MembersKeepTheirOrder) {
  Json inner;
  inner.Set("z", 1).Set("a", "text").Set("m", 0.5);
  Json outer;
  outer.Set("inner", inner).Set("list", Json::EmptyArray().Append(inner));
  EXPECT_EQ(outer.Line(), R"({"inner":{"z":1,"a":"text","m":0.5},)"
                          R"("list":[{"z":1,"a":"text","m":0.5}]})");
}

TEST(JsonOutputTest, ArrayOfMessages) {
  EXPECT_EQ(JsonArray(std::vector<v1::Job>()).Line(), "[]");
  std::vector<v1::JobFailure> failures(2);
  failures[1].set_reason("WORKER_LOST");
  EXPECT_EQ(JsonArray(failures).Line(),
            R"([{"reason":"","message":""},)"
            R"({"reason":"WORKER_LOST","message":""}])");
}

TEST(JsonOutputTest, DocumentIsIndented) {
  EXPECT_EQ(Json().Set("a", 1).Indented(), "{\n  \"a\": 1\n}");
}

TEST(JsonOutputTest, BrokenTextDoesNotThrow) {
  EXPECT_EQ(Json().Set("a", "\xff").Line(), "{\"a\":\"\xEF\xBF\xBD\"}");
}

}  // namespace
}  // namespace assay
