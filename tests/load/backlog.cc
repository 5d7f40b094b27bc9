#include "tests/load/backlog.h"

#include "base/status_macros.h"
#include "tests/load/calls.h"
#include "tests/load/samples.h"

namespace assay::load {
namespace {

constexpr int kSubmitters = 8;

}  // namespace

Backlog::Backlog(const Target& target, int submissions)
    : target_(target),
      wanted_jobs_(int64_t{submissions} * target.workloads),
      stub_(v1::EvaluationService::NewStub(Connect(target.address))) {}

Backlog::~Backlog() { Stop().IgnoreError(); }

void Backlog::Start() {
  for (int i = 0; i < kSubmitters; ++i) {
    threads_.emplace_back([this] { Loop(); });
  }
}

void Backlog::NoteRecorded() {
  absl::MutexLock lock(&mutex_);
  --jobs_;
}

absl::optional<int> Backlog::AwaitDue() {
  const auto due = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return stopping_ || !status_.ok() || jobs_ < wanted_jobs_;
  };
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&due));
  if (stopping_ || !status_.ok()) return absl::nullopt;
  // Counted before they are there, or every thread would submit for the same
  // want.
  jobs_ += target_.workloads;
  return submissions_++;
}

void Backlog::Loop() {
  while (const absl::optional<int> number = AwaitDue()) {
    const absl::Status status = Submit(*number);
    absl::MutexLock lock(&mutex_);
    status_.Update(status);
  }
}

absl::Status Backlog::Submit(int number) {
  v1::CreateSubmissionRequest request;
  request.set_solution_name(
      SolutionName(number % target_.definitions,
                   number / target_.definitions % target_.solutions));
  return Call(*stub_, &v1::EvaluationService::Stub::CreateSubmission, request)
      .status();
}

absl::Status Backlog::Stop() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  absl::MutexLock lock(&mutex_);
  return Annotate(status_, "CreateSubmission");
}

}  // namespace assay::load
