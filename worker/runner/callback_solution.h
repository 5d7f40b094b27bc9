// A solution behind C callbacks: how the Python runner takes part.

#ifndef ASSAY_WORKER_RUNNER_CALLBACK_SOLUTION_H_
#define ASSAY_WORKER_RUNNER_CALLBACK_SOLUTION_H_

#include <cstddef>
#include <vector>

#include "worker/runner/bound_memory.h"
#include "worker/runner/failure.h"
#include "worker/runner/harness_c_api.h"
#include "worker/runner/loaded_solution.h"

// What a callback reported; see harness_c_api.h.
struct AssayFailure {
  assay::MaybeFailed failed;
};

namespace assay {

// The content of a Load is a serialized SourceBundle, or for TORCH_EXTENSION a
// shared library.
class CallbackSolution final : public LoadedSolution {
 public:
  explicit CallbackSolution(const AssayCallbacks& callbacks)
      : callbacks_(callbacks) {}

  MaybeFailed Load(const worker::Load& load, UniqueFd content) override;
  MaybeFailed Bind(const BoundMemory& memory) override;
  void Call(size_t draw, size_t slot) override;
  MaybeFailed Finish(size_t draw, size_t slot) override;

 private:
  MaybeFailed LoadFrom(const worker::Load& load,
                       const worker::SourceBundle& bundle, int module_fd);

  const AssayCallbacks callbacks_;
  bool returns_outputs_ = false;
  const BoundMemory* memory_ = nullptr;
  // Of the last call.
  bool succeeded_ = false;
  std::vector<const void*> returned_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_CALLBACK_SOLUTION_H_
