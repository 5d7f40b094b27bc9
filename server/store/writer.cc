#include "server/store/writer.h"

#include <utility>

#include "absl/time/time.h"
#include "base/log.h"
#include "base/status_macros.h"
#include "server/store/job_table.h"

namespace assay {

StoreWriter::StoreWriter(std::unique_ptr<Database> database,
                         int64_t change_counter, Clock& clock,
                         size_t max_waiting, Hooks hooks)
    : database_(std::move(database)),
      change_counter_(change_counter),
      clock_(clock),
      hooks_(std::move(hooks)),
      queue_(max_waiting),
      thread_([this] { Loop(); }) {}

StoreWriter::~StoreWriter() { Stop(); }

void StoreWriter::Stop() {
  queue_.Close();
  if (thread_.joinable()) thread_.join();
}

void StoreWriter::Loop() {
  while (true) {
    const std::vector<StoreTask> tasks = queue_.Take(kMaxGroup);
    if (tasks.empty()) return;
    Effects effects;
    const absl::Duration start = Clock::Real().Monotonic();
    absl::StatusOr<std::vector<absl::Status>> results =
        RunGroup(tasks, effects);
    if (hooks_.on_group) {
      hooks_.on_group(
          {tasks.size(), Clock::Real().Monotonic() - start, results.status()});
    }
    if (!results.ok()) {
      LogError("store transaction failed",
               {{"error", results.status().ToString()}});
      for (const StoreTask& task : tasks) task.done(results.status());
      continue;
    }
    if (hooks_.on_commit) hooks_.on_commit(std::move(effects));
    for (size_t i = 0; i < tasks.size(); ++i) {
      tasks[i].done(std::move((*results)[i]));
    }
    // Last: nobody waits for it.
    if (!hooks_.on_log || !hooks_.on_log(database_->log_pages())) continue;
    const absl::Status moved = database_->Checkpoint();
    if (!moved.ok()) {
      LogWarning("store checkpoint failed", {{"error", moved.ToString()}});
    }
  }
}

absl::StatusOr<std::vector<absl::Status>> StoreWriter::RunGroup(
    const std::vector<StoreTask>& tasks, Effects& effects) {
  ASSAY_ASSIGN_OR_RETURN(Transaction transaction,
                         Transaction::Begin(*database_));
  std::vector<absl::Status> results;
  results.reserve(tasks.size());
  // A transaction of its own needs no savepoint.
  const bool alone = tasks.size() == 1;
  const int64_t counter_before = change_counter_;
  for (const StoreTask& task : tasks) {
    results.push_back(alone ? RunAlone(task, effects) : RunOne(task, effects));
    ASSAY_RETURN_IF_ERROR(CheckTransaction(results.back()));
    // Rolled back with its transaction.
    if (alone && !results.back().ok()) return results;
  }
  if (change_counter_ != counter_before) {
    ASSAY_RETURN_IF_ERROR(
        JobTable::NoteLatestChange(*database_, change_counter_));
  }
  ASSAY_RETURN_IF_ERROR(transaction.Commit());
  return results;
}

absl::Status StoreWriter::CheckTransaction(const absl::Status& result) const {
  if (database_->in_transaction()) return absl::OkStatus();
  if (!result.ok()) return result;
  return absl::InternalError("store: the transaction ended by itself");
}

absl::Status StoreWriter::RunAlone(const StoreTask& task, Effects& effects) {
  Session session(*database_, change_counter_,
                  absl::ToUnixMicros(clock_.Now()));
  ASSAY_RETURN_IF_ERROR(task.work(session));
  effects.Append(session.TakeEffects());
  return absl::OkStatus();
}

absl::Status StoreWriter::RunOne(const StoreTask& task, Effects& effects) {
  Session session(*database_, change_counter_,
                  absl::ToUnixMicros(clock_.Now()));
  ASSAY_ASSIGN_OR_RETURN(Savepoint savepoint, Savepoint::Begin(*database_));
  ASSAY_RETURN_IF_ERROR(task.work(session));
  ASSAY_RETURN_IF_ERROR(savepoint.Release());
  effects.Append(session.TakeEffects());
  return absl::OkStatus();
}

}  // namespace assay
