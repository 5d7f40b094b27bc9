// Evaluations, and what they are about, as lines for people.
//
//   PASSED           rmsnorm_h4096_cpp  batch_size=64   0.412 ms   12.3x

#ifndef ASSAY_CLIENT_CLI_EVALUATION_TEXT_H_
#define ASSAY_CLIENT_CLI_EVALUATION_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/workload.pb.h"
#include "client/cli/console.h"

namespace assay {

// "batch_size=64 seq_len=1"; the uuid when there are no variable axes.
std::string WorkloadLabel(const v1::Workload& workload);

// "PASSED"; "UNKNOWN" for a status of a newer coordinator.
std::string StatusWord(v1::EvaluationStatus status);

// "host clock", "CUPTI", "CUDA events".
std::string TimerName(v1::Timer timer);

// "unstable after 2 repeats", "steady after 1 repeat"; empty when the samples
// were steady at once.
std::string Steadiness(const v1::Performance& performance);

// What kept the device's clocks down: "power cap, thermal"; empty when nothing
// is known to have.
std::string SlowedBy(const v1::Performance& performance);

// Why an unstable latency is not to be relied on, in one line; empty for a
// steady one.
std::string InstabilityText(const v1::Performance& performance);

// "below_floor (fail): 0.1 us for 4 MiB".
std::string FindingText(const v1::Finding& finding);

// "held", "approved", "rejected"; empty when nothing holds the trace back.
std::string ReviewWord(v1::Review::State state);

// Green for PASSED, red for all others.
Color StatusColor(v1::EvaluationStatus status);

// Latency and speed-up of a pass, errors of wrong numbers, nothing otherwise.
std::string EvaluationDetails(const v1::Evaluation& evaluation);

// The line of the log that says most: the compiler's first error, the last line
// of a traceback, what the worker itself says. Empty for an empty log.
std::string UsefulLogLine(const v1::Evaluation& evaluation);

// Widths of the columns that names take in a line.
struct LineLayout {
  int solution = 0;
  int workload = 0;
};

// Gives the columns what they need, or cuts them so that lines fit `width`. 0
// means any width; only labels of workloads are cut then, to 40 columns.
LineLayout FitLayout(int widest_solution, int widest_workload, int width);

// One line, its first word padded.
std::string OutcomeLine(absl::string_view word, absl::string_view solution,
                        absl::string_view workload, absl::string_view details,
                        const LineLayout& layout);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_EVALUATION_TEXT_H_
