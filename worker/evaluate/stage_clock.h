// Says which stage a job is in, and how long each took.

#ifndef ASSAY_WORKER_EVALUATE_STAGE_CLOCK_H_
#define ASSAY_WORKER_EVALUATE_STAGE_CLOCK_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/evaluation_service.pb.h"
#include "base/clock.h"

namespace assay {

// Not thread-safe.
class StageClock {
 public:
  using Observer = std::function<void(v1::JobStage)>;

  // `observer` is told of every stage as it begins.
  StageClock(const Clock& clock, Observer observer)
      : clock_(clock), observer_(std::move(observer)) {}

  // Ends the stage before. A stage entered again goes on adding to its time and
  // is not announced again.
  void Enter(v1::JobStage stage);
  // Ends the last stage.
  void Stop();
  // Counts a stage that was timed elsewhere.
  void Add(v1::JobStage stage, absl::Duration time) {
    stages_.emplace_back(stage, time);
  }

  // In the order in which the stages were first entered.
  std::vector<v1::StageTime> times() const;

 private:
  const Clock& clock_;
  const Observer observer_;
  std::vector<std::pair<v1::JobStage, absl::Duration>> stages_;
  v1::JobStage current_ = v1::JOB_STAGE_UNSPECIFIED;
  absl::Duration entered_;
};

// "measure" for v1::MEASURE.
std::string StageName(v1::JobStage stage);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_STAGE_CLOCK_H_
