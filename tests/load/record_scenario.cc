#include <atomic>

#include "absl/time/clock.h"
#include "base/status_macros.h"
#include "tests/load/backlog.h"
#include "tests/load/latencies.h"
#include "tests/load/process_usage.h"
#include "tests/load/report.h"
#include "tests/load/scenarios.h"
#include "tests/load/workers.h"

namespace assay::load {

absl::Status MeasureRecord(const Target& target, const RecordOptions& options) {
  Latencies latencies;
  std::atomic<int64_t> recorded = 0;
  std::atomic<bool> measuring = false;
  Backlog backlog(target, options.backlog);
  Workers workers(target, options.workers, options.stages,
                  [&](absl::Duration latency) {
                    ++recorded;
                    backlog.NoteRecorded();
                    if (measuring) latencies.Add(latency);
                  });
  backlog.Start();
  workers.Start();
  absl::SleepFor(options.warm_up);

  ASSAY_ASSIGN_OR_RETURN(const ProcessUsage before,
                         ReadProcessUsage(target.pid));
  const int64_t recorded_before = recorded;
  const absl::Time begin = absl::Now();
  measuring = true;
  absl::SleepFor(options.length);
  measuring = false;
  const absl::Duration length = absl::Now() - begin;
  const auto count = static_cast<double>(recorded - recorded_before);
  ASSAY_ASSIGN_OR_RETURN(const ProcessUsage after,
                         ReadProcessUsage(target.pid));

  ASSAY_RETURN_IF_ERROR(backlog.Stop());
  ASSAY_RETURN_IF_ERROR(workers.Stop());
  Report report(options.stages == 0 ? "record" : "record-staged",
                target.json_path);
  report.Add("evaluations a second", count / absl::ToDoubleSeconds(length),
             "/s", options.stages == 0 ? "at least 5000" : "");
  report.AddLatencies("sent to acknowledged", latencies);
  report.Add("coordinator's processor time",
             absl::ToDoubleMicroseconds(after.cpu - before.cpu) / count,
             "us each");
  report.Add("coordinator's memory",
             static_cast<double>(after.resident_bytes) / 1e6, "MB");
  return report.status();
}

}  // namespace assay::load
