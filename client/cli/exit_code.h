// What the exit code of `assay` says. docs/cli.md and `assay --help` list them;
// scripts rely on the numbers.

#ifndef ASSAY_CLIENT_CLI_EXIT_CODE_H_
#define ASSAY_CLIENT_CLI_EXIT_CODE_H_

#include <cstdint>
#include <map>

#include "absl/status/status.h"
#include "assay/v1/evaluation.pb.h"

namespace assay {

enum class ExitCode {
  // Every evaluation passed, or the command did what it was asked.
  kOk = 0,
  // INCORRECT_SHAPE, INCORRECT_DTYPE or INCORRECT_NUMERICAL.
  kIncorrect = 1,
  kCompileError = 2,
  kRuntimeError = 3,
  kTimeout = 4,
  // A job without a verdict, or the coordinator could not do its part.
  kInfrastructure = 5,
  kCancelled = 6,
  // No device fits any of the solutions.
  kNothingRun = 7,
  // The command line is wrong; as sysexits.h has it.
  kUsage = 64,
  // What the command line names is wrong: files, names, values.
  kInvalidInput = 65,
};

// Ends of jobs, counted.
struct OutcomeCounts {
  // Completed jobs by verdict.
  std::map<v1::EvaluationStatus, int64_t> by_status;
  // Jobs that ended without a verdict.
  int64_t failed = 0;
  int64_t cancelled = 0;

  int64_t total() const;
};

// The first that occurred of: infrastructure, compile error, run-time error,
// time-out, incorrect, cancelled, passed. Without a full set of verdicts
// nothing else can be relied on, hence infrastructure first; then in the order
// in which an evaluation meets them.
ExitCode ExitCodeFor(const OutcomeCounts& counts);

// Of a command that ended with an error.
ExitCode ExitCodeFor(const absl::Status& error);

// The list for `assay --help`.
extern const char kExitCodeHelp[];

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_EXIT_CODE_H_
