// Shows what happens to submissions while it happens.

#ifndef ASSAY_CLIENT_CLI_REPORTER_H_
#define ASSAY_CLIENT_CLI_REPORTER_H_

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "assay/v1/evaluation_service.pb.h"
#include "client/cli/console.h"
#include "client/cli/tally.h"

namespace assay {

// Thread-compatible.
class Reporter {
 public:
  virtual ~Reporter() = default;

  // Shows an event; `tally` has counted it already.
  virtual void Show(const v1::SubmissionEvent& event, const Tally& tally) = 0;
};

// Names and how much room they take.
class Labels {
 public:
  // How a workload is called, and which names will occur.
  void AddWorkload(const v1::Workload& workload);
  void AddSolution(absl::string_view name);

  // The label of a workload; the uuid when it was never added.
  std::string Workload(const std::string& uuid) const;

  int widest_solution() const { return widest_solution_; }
  int widest_workload() const { return widest_workload_; }

 private:
  std::map<std::string, std::string> workloads_;
  int widest_solution_ = 0;
  int widest_workload_ = 0;
};

struct TextReporterOptions {
  Labels labels;
  // Prints the whole log of each failure instead of its most useful line.
  bool whole_logs = false;
  // Says how to see the whole log of a trace; none when there is no way.
  std::function<std::string(const std::string& trace_id)> log_command;
};

// A line for each outcome and a progress line. The console outlives it.
std::unique_ptr<Reporter> MakeTextReporter(Console& console,
                                           TextReporterOptions options);

// Every event as one line of JSON: {"event": {...}}.
std::unique_ptr<Reporter> MakeJsonReporter(Console& console);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_REPORTER_H_
