// What the harness can do with a solution, whatever it is made of.

#ifndef ASSAY_WORKER_RUNNER_LOADED_SOLUTION_H_
#define ASSAY_WORKER_RUNNER_LOADED_SOLUTION_H_

#include <cstddef>

#include "base/fd.h"
#include "worker/protocol/runner.pb.h"
#include "worker/runner/bound_memory.h"
#include "worker/runner/failure.h"

namespace assay {

// The harness calls Load once, then Bind, then Call and Finish in turns. Not
// thread-safe.
class LoadedSolution {
 public:
  virtual ~LoadedSolution() = default;

  // Makes the solution callable; runs its start-up code.
  virtual MaybeFailed Load(const worker::Load& load, UniqueFd content) = 0;

  // Prepares the arguments of every draw and slot, so that Call has nothing to
  // do but to call. `memory` stays valid until the next Bind has returned.
  virtual MaybeFailed Bind(const BoundMemory& memory) = 0;

  // The timed part: calls the solution once. What comes of it is kept.
  virtual void Call(size_t draw, size_t slot) = 0;

  // After the clock was stopped: how the last Call went. Copies what was
  // returned into the slot.
  virtual MaybeFailed Finish(size_t draw, size_t slot) = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_LOADED_SOLUTION_H_
