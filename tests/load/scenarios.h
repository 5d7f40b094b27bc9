// What is measured about a coordinator that runs on a seeded store
// (seeder.h). Each scenario prints and records what it finds; an error means
// that it could not be measured, never that an aim was missed.

#ifndef ASSAY_TESTS_LOAD_SCENARIOS_H_
#define ASSAY_TESTS_LOAD_SCENARIOS_H_

#include <sys/types.h>

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace assay::load {

struct Target {
  // Of the coordinator, `host:port`.
  std::string address;
  // Its process, for memory and processor time.
  pid_t pid = 0;
  // File that results are appended to; empty: none.
  std::string json_path;
  // Definitions in its store, and how many workloads and solutions each has.
  int definitions = 1;
  int workloads = 20;
  int solutions = 50;
};

struct RecordOptions {
  int workers = 16;
  // Reports of stages before each evaluation.
  int stages = 0;
  // Submissions that are kept waiting.
  int backlog = 20;
  absl::Duration warm_up = absl::Seconds(2);
  absl::Duration length = absl::Seconds(10);
};
// Workers report evaluations as fast as they are acknowledged; submissions of
// stored solutions keep them busy.
absl::Status MeasureRecord(const Target& target, const RecordOptions& options);

struct IdleOptions {
  int workers = 1000;
  absl::Duration length = absl::Seconds(30);
};
// Workers on connections of their own wait for work; then one job comes.
absl::Status MeasureIdle(const Target& target, const IdleOptions& options);

struct SubmitOptions {
  // Submissions a second, at equal distances, whether earlier ones have been
  // answered or not. Each brings a new revision of a solution.
  int rate = 500;
  // Workloads of each.
  int workloads = 1;
  absl::Duration length = absl::Seconds(20);
};
// Latencies count from when the call was due.
absl::Status MeasureSubmit(const Target& target, const SubmitOptions& options);

struct OperationsOptions {
  // How often each operation is done.
  int repeats = 300;
};
// One call at a time: latency, and processor time of the coordinator.
absl::Status MeasureOperations(const Target& target,
                               const OperationsOptions& options);

struct BoardOptions {
  // Calls a second at equal distances, of boards of changing definitions.
  int rate = 100;
  absl::Duration length = absl::Seconds(20);
  // Evaluations recorded meanwhile, by this many workers; 0: none.
  int workers = 0;
};
absl::Status MeasureBoards(const Target& target, const BoardOptions& options);

}  // namespace assay::load

#endif  // ASSAY_TESTS_LOAD_SCENARIOS_H_
