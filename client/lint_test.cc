#include "client/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_testing.h"
#include "client/client.h"
#include "client/fake_coordinator.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// y of n floats; its input cannot be copied.
LintSubject Subject(const std::string& name, int workloads,
                    const std::string& hardware = "") {
  LintSubject subject;
  subject.definition.set_name(name);
  v1::TensorSpec& x = *subject.definition.add_inputs();
  x.set_name("x");
  x.set_dtype(v1::DTYPE_FLOAT16);
  v1::TensorSpec& y = *subject.definition.add_outputs();
  y.set_name("y");
  y.add_shape("n");
  y.set_dtype(v1::DTYPE_FLOAT32);
  for (int i = 0; i < workloads; ++i) {
    v1::Workload& workload = subject.workloads.emplace_back();
    workload.set_uuid(absl::StrCat(name, "-", i));
    if (!hardware.empty()) workload.add_target_hardware(hardware);
  }
  return subject;
}

v1::Evaluation Wrong(double matched_ratio) {
  v1::Evaluation evaluation;
  evaluation.set_status(v1::INCORRECT_NUMERICAL);
  evaluation.mutable_correctness()->set_matched_ratio(matched_ratio);
  return evaluation;
}

v1::Evaluation Passed() {
  v1::Evaluation evaluation = Wrong(1);
  evaluation.set_status(v1::PASSED);
  evaluation.mutable_correctness()->set_max_absolute_error(0.005);
  return evaluation;
}

class LintTest : public testing::Test {
 protected:
  void SetUp() override {
    fake_.Edit([this](FakeCoordinator::State& state) {
      state.workers.emplace_back().mutable_device()->set_kind("cpu");
      state.on_submit = [this](FakeCoordinator::State& inner,
                               const v1::CreateSubmissionRequest& request,
                               v1::Submission& submission) {
        submission.set_queued(request.workload_uuids_size());
        for (const std::string& uuid : request.workload_uuids()) {
          v1::SubmissionEvent& event =
              inner.events[submission.id()].emplace_back();
          event.mutable_trace()->set_job_id(submission.id() + uuid);
          v1::Trace& trace = *event.mutable_trace()->mutable_trace();
          trace.mutable_workload()->set_uuid(uuid);
          *trace.mutable_evaluation() =
              answers_[Kind(request.solution())][uuid];
        }
      };
    });
    Client::Options options;
    options.address = fake_.address();
    ASSERT_OK_AND_ASSIGN(client_, Client::Connect(options));
  }

  // "zeros", as the description ends.
  static std::string Kind(const v1::Solution& solution) {
    const std::string& text = solution.description();
    return text.substr(text.rfind(' ') + 1);
  }

  // Every probe's evaluation of the workload.
  void Answer(const std::string& uuid, const v1::Evaluation& evaluation) {
    for (const char* kind : {"zeros", "ones", "constant"}) {
      answers_[kind][uuid] = evaluation;
    }
  }

  absl::StatusOr<LintReport> Lint(const std::vector<LintSubject>& subjects) {
    return LintDefinitions(*client_, subjects, options_);
  }

  FakeCoordinator fake_;
  std::unique_ptr<Client> client_;
  LintOptions options_;
  // By kind of probe and uuid.
  std::map<std::string, std::map<std::string, v1::Evaluation>> answers_;
};

TEST_F(LintTest, SoundDefinitionHasTheNearestFigures) {
  Answer("d-0", Wrong(0.25));
  Answer("d-1", Wrong(0.75));
  Answer("d-2", Wrong(0.5));
  ASSERT_OK_AND_ASSIGN(const LintReport report, Lint({Subject("d", 3)}));
  ASSERT_THAT(report.results, SizeIs(3));
  EXPECT_EQ(report.results[0].probe, "zeros");
  EXPECT_EQ(report.results[0].output, "y");
  EXPECT_EQ(report.results[0].judged, 3);
  EXPECT_EQ(report.results[0].nearest_workload, "d-1");
  EXPECT_EQ(report.results[0].nearest.matched_ratio(), 0.75);
  EXPECT_FALSE(report.results[0].passes());
  EXPECT_THAT(report.WeakDefinitions(), IsEmpty());
  EXPECT_THAT(report.UnjudgedDefinitions(), IsEmpty());
}

TEST_F(LintTest, OnePassMakesADefinitionWeak) {
  // With a required ratio below 1 a wrong one may have as many right elements.
  Answer("d-0", Wrong(1));
  Answer("d-1", Wrong(0.5));
  answers_["ones"]["d-1"] = Passed();
  Answer("e-0", Wrong(0));
  ASSERT_OK_AND_ASSIGN(const LintReport report,
                       Lint({Subject("d", 2), Subject("e", 1)}));
  EXPECT_THAT(report.WeakDefinitions(), ElementsAre("d"));
  const LintResult& ones = report.results[1];
  EXPECT_EQ(ones.passed, 1);
  EXPECT_EQ(ones.judged, 2);
  EXPECT_EQ(ones.nearest_workload, "d-1");
  EXPECT_EQ(ones.nearest.max_absolute_error(), 0.005);
}

TEST_F(LintTest, WorkloadsWhoseAnswersCanBeStoredAreNamed) {
  LintSubject subject = Subject("d", 3);
  for (v1::Workload& workload : subject.workloads) {
    v1::AxisValue& n = *workload.add_axes();
    n.set_name("n");
    n.set_value(4);
    workload.add_inputs()->set_name("x");
    Answer(workload.uuid(), Wrong(0.5));
  }
  subject.definition.mutable_inputs(0)->add_shape("n");
  v1::Axis& axis = *subject.definition.add_axes();
  axis.set_name("n");
  axis.set_kind(v1::Axis::VAR);
  subject.workloads[0].mutable_inputs(0)->mutable_random();
  // float16, hence varied.
  subject.workloads[1].mutable_inputs(0)->mutable_safetensors();
  subject.workloads[2].mutable_inputs(0)->mutable_scalar()->set_int_value(1);
  ASSERT_OK_AND_ASSIGN(const LintReport report, Lint({subject}));
  ASSERT_THAT(report.storable, SizeIs(1));
  EXPECT_EQ(report.storable[0].definition, "d");
  EXPECT_THAT(report.storable[0].workloads, ElementsAre("d-2"));
  EXPECT_THAT(report.WeakDefinitions(), IsEmpty());
}

TEST_F(LintTest, TakesSomeWorkloadsFromEndToEnd) {
  for (int i = 0; i < 9; ++i) Answer(absl::StrCat("d-", i), Wrong(0));
  ASSERT_OK(Lint({Subject("d", 9)}));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_THAT(state.submitted[0].workload_uuids(),
                ElementsAre("d-0", "d-4", "d-8"));
    EXPECT_TRUE(
        absl::StartsWith(state.submitted[0].solution().name(), "assay-lint-"));
  });
  options_.workloads = 1;
  ASSERT_OK(Lint({Subject("d", 9)}));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_THAT(state.submitted[3].workload_uuids(), ElementsAre("d-0"));
  });
}

TEST_F(LintTest, WhatCannotRunIsNotSubmitted) {
  ASSERT_OK_AND_ASSIGN(const LintReport report,
                       Lint({Subject("gpu", 2, "cuda"), Subject("none", 0)}));
  EXPECT_THAT(report.results, IsEmpty());
  ASSERT_THAT(report.not_probed, SizeIs(2));
  EXPECT_THAT(report.not_probed[0].reason, HasSubstr("hardware"));
  EXPECT_THAT(report.not_probed[1].reason, HasSubstr("no workloads"));
  EXPECT_THAT(report.UnjudgedDefinitions(), ElementsAre("gpu", "none"));
}

TEST_F(LintTest, WhatHasNoVerdictSaysWhy) {
  v1::Evaluation crashed;
  crashed.set_status(v1::RUNTIME_ERROR);
  crashed.set_log("Traceback\nValueError: no\n\n");
  Answer("d-0", crashed);
  Answer("d-1", Wrong(0));
  ASSERT_OK_AND_ASSIGN(const LintReport report, Lint({Subject("d", 2)}));
  EXPECT_EQ(report.results[0].judged, 1);
  EXPECT_EQ(report.results[0].trouble, "RUNTIME_ERROR: ValueError: no");
  EXPECT_THAT(report.UnjudgedDefinitions(), ElementsAre("d"));
}

TEST_F(LintTest, WithoutAWorkerNothingIsSubmitted) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.workers[0].set_state(v1::WorkerRecord::LOST);
  });
  EXPECT_THAT(Lint({Subject("d", 1)}),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("no worker is connected")));
}

TEST_F(LintTest, WhatWasSubmittedIsCancelledOnAnError) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.errors["WatchSubmissions"].push_back(absl::InternalError("broken"));
  });
  Answer("d-0", Wrong(0));
  EXPECT_THAT(Lint({Subject("d", 1)}),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("broken")));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_THAT(state.cancelled, SizeIs(3));
  });
}

}  // namespace
}  // namespace assay
