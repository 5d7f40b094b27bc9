// Judges what a solution computed, call by call, and remembers the worst. One
// implementation for each way to be right; which one judges a definition is
// said in schema/evaluators.h.
//
//   std::unique_ptr<Evaluator> evaluator = ...;  // see new_evaluator.h
//   ASSAY_RETURN_IF_ERROR(evaluator->Add(device, memory, call));
//   if (!evaluator->passed()) Say(evaluator->failure());
//
// It lives in the worker, like all that it compares with: nothing of it is in a
// process that has loaded a solution.

#ifndef ASSAY_WORKER_EVALUATE_EVALUATORS_EVALUATOR_H_
#define ASSAY_WORKER_EVALUATE_EVALUATORS_EVALUATOR_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "assay/v1/evaluation.pb.h"
#include "kernels/measure/philox.h"
#include "worker/device/device.h"
#include "worker/evaluate/case_memory.h"

namespace assay {

// Where the outputs of a call are, and what they are to be held against.
struct JudgedCall {
  int slot = 0;
  // Of its inputs.
  int draw = 0;
  // What the outputs held before the call, in order. Empty: not known.
  std::vector<PatternRegion> before;
  measure::Key pattern_key{};
};

// For one evaluation. Thread-compatible.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // One of the same kind that has judged nothing.
  virtual std::unique_ptr<Evaluator> Fresh() const = 0;

  // Judges the outputs of a call. INVALID_ARGUMENT: the workload's inputs are
  // none that can be judged. Other errors are the worker's own.
  virtual absl::Status Add(Device& device, const CaseMemory& memory,
                           const JudgedCall& call) = 0;

  // How many calls on one draw it wants to see before those that are timed.
  virtual int repeated_calls() const { return 0; }
  // Judges what all calls so far say together. Comes after the repeated calls,
  // and after the last call of all.
  virtual void Conclude() {}

  // False once something was wrong; that stays so.
  bool passed() const { return failure_.empty(); }

  // For people: what was wrong first, and by how much. Empty while all passed.
  const std::string& failure() const { return failure_; }

  // Worst errors over all calls so far.
  const v1::Correctness& correctness() const { return correctness_; }

 protected:
  // Only the first failure is kept.
  void Fail(std::string failure) {
    if (passed()) failure_ = std::move(failure);
  }
  v1::Correctness& mutable_correctness() { return correctness_; }

 private:
  std::string failure_;
  v1::Correctness correctness_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_EVALUATORS_EVALUATOR_H_
