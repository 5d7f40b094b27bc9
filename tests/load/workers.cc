#include "tests/load/workers.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tests/load/calls.h"

namespace assay::load {

Workers::Workers(const Target& target, int count, int stages,
                 std::function<void(absl::Duration)> on_recorded) {
  for (int i = 0; i < count; ++i) {
    SimulatedWorker::Options options;
    options.id = absl::StrCat("load-", i);
    options.channel = Connect(target.address);
    options.stages = stages;
    options.on_recorded = on_recorded;
    options.on_failed = [this](const absl::Status& status) {
      NoteFailure(status);
    };
    workers_.push_back(std::make_unique<SimulatedWorker>(std::move(options)));
  }
}

void Workers::Start() {
  for (const auto& worker : workers_) worker->Start();
}

absl::Status Workers::Stop() {
  for (const auto& worker : workers_) worker->Stop();
  absl::MutexLock lock(&mutex_);
  return Annotate(status_, "a worker");
}

int Workers::asking() const {
  return static_cast<int>(
      std::count_if(workers_.begin(), workers_.end(),
                    [](const auto& worker) { return worker->asking(); }));
}

int64_t Workers::answers() const {
  int64_t answers = 0;
  for (const auto& worker : workers_) answers += worker->answers();
  return answers;
}

void Workers::NoteFailure(const absl::Status& status) {
  absl::MutexLock lock(&mutex_);
  status_.Update(status);
}

}  // namespace assay::load
