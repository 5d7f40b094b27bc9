#include "client/cli/tally.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/text.h"

namespace assay {
namespace {

// "2 incorrect dtype", "1 timeout", "3 runtime errors".
std::string CountVerdict(int64_t count, v1::EvaluationStatus status) {
  const std::string words = absl::StrReplaceAll(
      absl::AsciiStrToLower(StatusWord(status)), {{"_", " "}});
  switch (status) {
    case v1::RUNTIME_ERROR:
    case v1::COMPILE_ERROR:
    case v1::TIMEOUT:
      return Count(count, words);
    default:
      return absl::StrCat(count, " ", words);
  }
}

}  // namespace

void Tally::Add(const v1::SubmissionEvent& event) {
  if (event.has_submission()) {
    const v1::Submission& submission = event.submission();
    total_ += submission.queued() + submission.running() +
              submission.completed() + submission.failed() +
              submission.cancelled();
  } else if (event.has_trace()) {
    running_.erase(event.trace().job_id());
    ++outcomes_.by_status[event.trace().trace().evaluation().status()];
    if (event.trace().review_state() == v1::Review::PENDING) ++held_;
  } else if (event.has_job()) {
    const v1::Job& job = event.job();
    if (job.state() == v1::RUNNING) {
      running_.insert(job.id());
    } else {
      running_.erase(job.id());
    }
    if (job.state() == v1::FAILED) ++outcomes_.failed;
    if (job.state() == v1::CANCELLED) ++outcomes_.cancelled;
  }
}

std::string Tally::Summary() const {
  std::vector<std::string> parts;
  int64_t evaluations = 0;
  for (const auto& [status, count] : outcomes_.by_status) {
    if (count == 0) continue;
    evaluations += count;
    parts.push_back(CountVerdict(count, status));
  }
  std::string summary = Count(evaluations, "evaluation");
  if (!parts.empty()) {
    absl::StrAppend(&summary, ": ", absl::StrJoin(parts, ", "));
  }
  if (outcomes_.failed > 0) {
    absl::StrAppend(&summary, "; ", Count(outcomes_.failed, "job"),
                    " without a verdict");
  }
  if (outcomes_.cancelled > 0) {
    absl::StrAppend(&summary, "; ", Count(outcomes_.cancelled, "job"),
                    " cancelled");
  }
  if (held_ > 0) absl::StrAppend(&summary, "; ", held_, " held for review");
  return summary;
}

}  // namespace assay
