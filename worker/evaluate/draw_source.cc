#include "worker/evaluate/draw_source.h"

#include <algorithm>
#include <cstdint>

#include "worker/evaluate/case_inputs.h"

namespace assay {
namespace {

// Every timed call needs a draw of its own, and a reference may take a second:
// for draws of a trial there is this much time,
constexpr absl::Duration kDrawBudget = absl::Milliseconds(150);
// but for the fewest that make a median.
constexpr int64_t kFewestCalls = 5;

}  // namespace

std::optional<JobFault> DrawSource::Draw() {
  if (draws_made_ > 0 && !memory_.has_drawn()) return std::nullopt;
  return Make(/*varied=*/false);
}

std::optional<JobFault> DrawSource::DrawVaried() {
  return Make(/*varied=*/true);
}

std::optional<JobFault> DrawSource::Make(bool varied) {
  const absl::Duration begin = tools_.clock.Monotonic();
  if (auto fault = Stage(varied)) return fault;
  if (auto fault = ComputeAgain()) return fault;
  least_cost_ = std::min(least_cost_, tools_.clock.Monotonic() - begin);
  return std::nullopt;
}

std::optional<JobFault> DrawSource::Stage(bool varied) {
  stages_.Enter(v1::INPUTS);
  const absl::Status staged = StageInputs(varied, draws_made_++);
  if (staged.ok()) return std::nullopt;
  return WorkerFault(staged);
}

absl::Status DrawSource::StageInputs(bool varied, int number) {
  if (varied) {
    return StageVaried(tools_.device, sizes_, key_, number, memory_);
  }
  if (memory_.is_varied()) return StageUnvaried(tools_.device, memory_);
  return DrawRandomInputs(tools_.device, lease_.definition(), sizes_,
                          job_.workload(), key_, number, memory_);
}

std::optional<JobFault> DrawSource::ComputeAgain() {
  stages_.Enter(v1::BASELINE);
  return baseline_.Compute(settings_);
}

std::variant<TimedCall, JobFault> DrawSource::Ping(Watching watching) {
  return baseline_.Ping(settings_, tools_.device, watching);
}

absl::Duration DrawSource::cost() const {
  if (!memory_.has_drawn()) return absl::ZeroDuration();
  return varies() ? 2 * least_cost_ : least_cost_;
}

int TimedCallsPerTrial(const EvaluationSettings& settings,
                       absl::Duration draw_cost) {
  int64_t affordable = settings.iterations;
  if (draw_cost > absl::ZeroDuration()) {
    absl::Duration rest;
    affordable = absl::IDivDuration(kDrawBudget, draw_cost, &rest);
  }
  return static_cast<int>(std::min<int64_t>(
      settings.iterations, std::max(kFewestCalls, affordable)));
}

}  // namespace assay
