// The timed part of an evaluation: trials of warm-up and timed calls, every one
// of which is checked, and what all of them together say.

#ifndef ASSAY_WORKER_EVALUATE_MEASUREMENT_H_
#define ASSAY_WORKER_EVALUATE_MEASUREMENT_H_

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "assay/v1/evaluation.pb.h"
#include "worker/device/device.h"
#include "worker/evaluate/checked_calls.h"
#include "worker/evaluate/draw_source.h"
#include "worker/evaluate/job_result.h"
#include "worker/evaluate/settings.h"
#include "worker/evaluate/stage_clock.h"
#include "worker/evaluate/timed_call.h"
#include "worker/evaluate/timing_rules.h"
#include "worker/evaluate/varied_calls.h"
#include "worker/evaluate/verdict.h"

namespace assay {

class Measurement {
 public:
  // Well, or what there is to say about the solution, or a draw that failed
  // beside it, or a varied call that shows nothing, or a fault of this worker.
  using End = std::variant<std::monostate, Verdict, BrokenRule, JobFault,
                           VariedStop, absl::Status>;

  struct Samples {
    std::vector<TimedCall> calls;
    // Some that do nothing, between them.
    std::vector<TimedCall> pings;
    // Calls on varied values between them.
    std::vector<TimedCall> varied;
    v1::DeviceState device_state;
  };

  // All references outlive it.
  Measurement(Device& device, const EvaluationSettings& settings,
              const TimingLimits& limits, DrawSource& draws,
              CheckedCalls& calls, StageClock& stages)
      : device_(device),
        settings_(settings),
        limits_(limits),
        draws_(draws),
        calls_(calls),
        stages_(stages) {}

  // All trials.
  End Run();

  // Of the trials that count.
  const Samples& samples() const { return samples_; }
  // How many trials were thrown away, and whether some that were kept are
  // uneven nevertheless.
  int repeats() const { return repeats_; }
  // What varied calls showed, which fails nobody.
  std::vector<BrokenRule> Suspicions() const;
  bool is_unstable() const { return is_unstable_; }

 private:
  // A trial that counts.
  End RunTrial();
  End MakeCalls(Samples& samples);
  End MakeCall(Samples& samples);
  End Ping(Samples& samples);
  End MakeVariedCall(Samples& samples);
  End WarmUp();
  // Judges the times; where they look forged, on more of them first.
  End JudgeSamples();
  std::optional<BrokenRule> JudgeForgery(const Samples& evidence) const;
  void ReadState(Samples& samples);

  Device& device_;
  const EvaluationSettings& settings_;
  const TimingLimits limits_;
  DrawSource& draws_;
  CheckedCalls& calls_;
  StageClock& stages_;
  Samples samples_;
  int repeats_ = 0;
  bool is_unstable_ = false;
  VariedOutcome varied_;
  std::optional<BrokenRule> faster_on_stored_;
};

// Whether calls ended well, and how a single one did that ended otherwise.
bool IsWell(const Measurement::End& end);
Measurement::End EndOf(CheckedCalls::End end);

// Adds the calls of `more`.
void Append(const Measurement::Samples& more, Measurement::Samples& samples);

// The times of calls, in nanoseconds.
std::vector<int64_t> CallTimes(const std::vector<TimedCall>& calls);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_MEASUREMENT_H_
