#include "worker/evaluate/stage_clock.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "google/protobuf/util/time_util.h"

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
    *entry.mutable_duration() =
        google::protobuf::util::TimeUtil::NanosecondsToDuration(
            absl::ToInt64Nanoseconds(time));
  }
  return times;
}

}  // namespace assay
