// Calls on values near those that a workload stores, where nothing is random:
// made between the calls that count, and the same in every other respect. Who
// computes is as right and as fast on both. Who has stored the answers is wrong
// on these, or fast on the others alone.
//
// They fail nobody: an operator may make no sense of other values than those
// that are stored, so a person decides.

#ifndef ASSAY_WORKER_EVALUATE_VARIED_CALLS_H_
#define ASSAY_WORKER_EVALUATE_VARIED_CALLS_H_

#include <optional>
#include <string>
#include <vector>

#include "worker/evaluate/timed_call.h"

namespace assay {

inline constexpr char kStoredAnswers[] = "stored_answers";
inline constexpr char kFasterOnStoredInputs[] = "faster_on_stored_inputs";
// Of a note: there were no such calls, because the reference fails.
inline constexpr char kInputsNotVaried[] = "inputs_not_varied";

// Something other than right or wrong outputs came of a call, or its reference
// failed: for people.
struct VariedStop {
  std::string why;
};

// What came of all of them, whatever became of their trial.
struct VariedOutcome {
  int made = 0;
  int wrong = 0;
  // Of the first that was wrong.
  std::string first_difference;
};

// Rule kStoredAnswers: some were wrong.
std::optional<BrokenRule> JudgeVariedOutcome(const VariedOutcome& outcome);

// Rule kFasterOnStoredInputs: by their medians varied calls take clearly longer
// than those on stored values, and three quarters of the ones take longer than
// three quarters of the others.
std::optional<BrokenRule> JudgeVariedTimes(
    const std::vector<TimedCall>& stored, const std::vector<TimedCall>& varied);

// Which of `2 * count` calls are varied ones: half of them, in an order that
// nobody can foretell.
std::vector<bool> MixedOrder(int count);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_VARIED_CALLS_H_
