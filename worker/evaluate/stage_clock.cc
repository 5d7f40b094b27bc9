#include "worker/evaluate/stage_clock.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"

namespace assay {

std::string StageName(v1::JobStage stage) {
  return absl::AsciiStrToLower(v1::JobStage_Name(stage));
}

void StageClock::Enter(v1::JobStage stage) {
  Stop();
  current_ = stage;
  entered_ = clock_.Monotonic();
  const auto known =
      std::find_if(stages_.begin(), stages_.end(),
                   [stage](const auto& entry) { return entry.first == stage; });
  if (known != stages_.end()) return;
  stages_.emplace_back(stage, absl::ZeroDuration());
  observer_(stage);
}

void StageClock::Stop() {
  for (auto& [stage, time] : stages_) {
    if (stage == current_) time += clock_.Monotonic() - entered_;
  }
  current_ = v1::JOB_STAGE_UNSPECIFIED;
}

std::vector<v1::StageTime> StageClock::times() const {
  std::vector<v1::StageTime> times;
  for (const auto& [stage, time] : stages_) {
    v1::StageTime& entry = times.emplace_back();
    entry.set_stage(StageName(stage));
    const int64_t nanos = absl::ToInt64Nanoseconds(time);
    entry.mutable_duration()->set_seconds(nanos / 1'000'000'000);
    entry.mutable_duration()->set_nanos(
        static_cast<int32_t>(nanos % 1'000'000'000));
  }
  return times;
}

}  // namespace assay
