#include "tests/load/backlog.h"

#include "base/status_macros.h"
#include "tests/load/calls.h"
#include "tests/load/samples.h"

namespace assay::load {

Backlog::Backlog(const Target& target, int submissions)
    : target_(target),
      wanted_jobs_(int64_t{submissions} * target.workloads),
      stub_(v1::EvaluationService::NewStub(Connect(target.address))) {}

Backlog::~Backlog() { Stop().IgnoreError(); }

void Backlog::Start() {
  thread_ = std::thread([this] { Loop(); });
}

void Backlog::NoteRecorded() {
  absl::MutexLock lock(&mutex_);
  --jobs_;
}

void Backlog::Loop() {
  const auto due = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return stopping_ || jobs_ < wanted_jobs_;
  };
  for (int number = 0;; ++number) {
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(&due));
      if (stopping_) return;
    }
    const absl::Status status = Submit(number);
    absl::MutexLock lock(&mutex_);
    if (!status.ok()) {
      status_ = status;
      return;
    }
    jobs_ += target_.workloads;
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
  if (thread_.joinable()) thread_.join();
  absl::MutexLock lock(&mutex_);
  return Annotate(status_, "CreateSubmission");
}

}  // namespace assay::load
