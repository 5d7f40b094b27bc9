#include "server/evaluation/reviews.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_testing.h"
#include "server/catalog/catalog.h"
#include "server/catalog/samples_testing.h"
#include "server/store/session_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

v1::ReviewTraceRequest Request(v1::Review::State decision,
                               const std::string& reason = "looked at it") {
  v1::ReviewTraceRequest request;
  request.set_id("tra-1");
  request.set_decision(decision);
  request.set_reviewer("ops");
  request.set_reason(reason);
  return request;
}

class ReviewsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(store_.Run([](Session& session) {
      return CreateDefinition(session, SampleDefinition());
    }));
  }

  // A measured trace that passed, with a finding unless it has no effect.
  v1::TraceRecord Trace(v1::Finding::Effect effect,
                        const std::string& id = "tra-1") {
    v1::TraceRecord record;
    record.set_id(id);
    record.set_worker("worker");
    record.mutable_trace()->set_definition("scale_d64");
    record.mutable_trace()->set_solution("a");
    *record.mutable_trace()->mutable_workload() = SampleWorkload("w1");
    v1::Evaluation& evaluation = *record.mutable_trace()->mutable_evaluation();
    evaluation = SampleEvaluation(v1::PASSED, 2);
    if (effect != v1::Finding::EFFECT_UNSPECIFIED) {
      evaluation.add_findings()->set_rule("time_unaccounted");
      evaluation.mutable_findings(0)->set_effect(effect);
    }
    return record;
  }

  void Insert(const v1::TraceRecord& record) {
    ASSERT_THAT(store_.Run([&](Session& session) {
      return session.traces().Insert(record);
    }),
                IsOkAndHolds(true));
  }

  absl::StatusOr<v1::TraceRecord> Review(
      const v1::ReviewTraceRequest& request) {
    return store_.Run(
        [&](Session& session) { return ReviewTrace(session, request); });
  }

  absl::StatusOr<v1::TraceRecord> Get(const std::string& id = "tra-1") {
    return store_.Run(
        [&](Session& session) { return session.traces().Get(id); });
  }

  // Ids of the traces in the state.
  std::vector<std::string> InState(v1::Review::State state) {
    v1::ListTracesRequest request;
    request.set_review_state(state);
    const auto response = store_.Run([&](Session& session) {
      return session.traces().List(request, Paging::Parse(0, "", {}).value());
    });
    EXPECT_OK(response);
    std::vector<std::string> ids;
    for (const v1::TraceRecord& record : response->traces()) {
      EXPECT_EQ(record.review_state(), state);
      ids.push_back(record.id());
    }
    return ids;
  }

  TestStore store_;
};

TEST_F(ReviewsTest, FindingsThatHoldOrFailMakeATraceWait) {
  Insert(Trace(v1::Finding::HOLD));
  Insert(Trace(v1::Finding::NOTE, "tra-2"));
  Insert(Trace(v1::Finding::EFFECT_UNSPECIFIED, "tra-3"));
  Insert(Trace(v1::Finding::FAIL, "tra-4"));
  EXPECT_THAT(InState(v1::Review::PENDING), ElementsAre("tra-1", "tra-4"));
  EXPECT_EQ(Get("tra-2")->review_state(), v1::Review::STATE_UNSPECIFIED);
}

TEST_F(ReviewsTest, DecisionsAreKeptAndTheLastCounts) {
  Insert(Trace(v1::Finding::HOLD));
  ASSERT_OK_AND_ASSIGN(v1::TraceRecord record,
                       Review(Request(v1::Review::REJECTED, "cheats")));
  EXPECT_EQ(record.review_state(), v1::Review::REJECTED);
  EXPECT_THAT(InState(v1::Review::PENDING), IsEmpty());
  EXPECT_THAT(InState(v1::Review::REJECTED), ElementsAre("tra-1"));
  ASSERT_OK(Review(Request(v1::Review::APPROVED, "did not")));
  ASSERT_OK_AND_ASSIGN(record, Get());
  EXPECT_EQ(record.review_state(), v1::Review::APPROVED);
  ASSERT_THAT(record.reviews(), SizeIs(2));
  EXPECT_EQ(record.reviews(0).reason(), "cheats");
  EXPECT_EQ(record.reviews(1).reviewer(), "ops");
  EXPECT_EQ(record.reviews(1).time_us(),
            absl::ToUnixMicros(store_.clock().Now()));
  EXPECT_THAT(InState(v1::Review::APPROVED), ElementsAre("tra-1"));
}

TEST_F(ReviewsTest, RepeatChangesNothing) {
  Insert(Trace(v1::Finding::HOLD));
  ASSERT_OK(Review(Request(v1::Review::APPROVED)));
  EXPECT_THAT(Review(Request(v1::Review::APPROVED))->reviews(), SizeIs(1));
  EXPECT_THAT(Review(Request(v1::Review::APPROVED, "again"))->reviews(),
              SizeIs(2));
}

TEST_F(ReviewsTest, CleanTraceCanBeRejectedButNotApproved) {
  Insert(Trace(v1::Finding::EFFECT_UNSPECIFIED));
  EXPECT_THAT(Review(Request(v1::Review::APPROVED)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("nothing holds trace \"tra-1\" back")));
  EXPECT_EQ(Review(Request(v1::Review::REJECTED))->review_state(),
            v1::Review::REJECTED);
  EXPECT_EQ(Review(Request(v1::Review::APPROVED))->review_state(),
            v1::Review::APPROVED);
}

TEST_F(ReviewsTest, ImportedAndUnknownTracesAreRefused) {
  v1::TraceRecord imported = Trace(v1::Finding::HOLD);
  imported.set_imported(true);
  Insert(imported);
  EXPECT_THAT(Review(Request(v1::Review::REJECTED)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("was imported")));
  v1::ReviewTraceRequest request = Request(v1::Review::REJECTED);
  request.set_id("tra-9");
  EXPECT_THAT(Review(request),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"tra-9\"")));
}

TEST_F(ReviewsTest, FaultsOfARequestAreNamed) {
  EXPECT_OK(CheckReview(Request(v1::Review::APPROVED)));
  EXPECT_THAT(CheckReview(Request(v1::Review::PENDING)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("use APPROVED or REJECTED")));
  EXPECT_THAT(CheckReview(Request(v1::Review::APPROVED, " \n")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("reason is empty")));
  EXPECT_THAT(
      CheckReview(Request(v1::Review::APPROVED, std::string(2001, 'x'))),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("2001")));
  v1::ReviewTraceRequest request = Request(v1::Review::APPROVED);
  request.set_reviewer("a\nb");
  EXPECT_THAT(CheckReview(request), StatusIs(absl::StatusCode::kInvalidArgument,
                                             HasSubstr("control character")));
}

TEST_F(ReviewsTest, TracesOfProbesAreListedWhereTheyAreNamed) {
  v1::TraceRecord probe = Trace(v1::Finding::EFFECT_UNSPECIFIED);
  probe.mutable_trace()->set_solution("assay-lint-zeros-scale_d64");
  probe.set_submission_id("sub-1");
  Insert(probe);
  Insert(Trace(v1::Finding::EFFECT_UNSPECIFIED, "tra-2"));
  const auto list = [&](const v1::ListTracesRequest& request) {
    return store_
        .Run([&](Session& session) {
          return session.traces().List(request,
                                       Paging::Parse(0, "", {}).value());
        })
        ->traces_size();
  };
  v1::ListTracesRequest request;
  EXPECT_EQ(list(request), 1);
  request.set_definition("scale_d64");
  EXPECT_EQ(list(request), 1);
  request.set_submission_id("sub-1");
  EXPECT_EQ(list(request), 1);
  request.clear_submission_id();
  request.set_solution("assay-lint-zeros-scale_d64");
  EXPECT_EQ(list(request), 1);
}

}  // namespace
}  // namespace assay
