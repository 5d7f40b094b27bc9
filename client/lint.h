// Finds definitions that give wrong answers a pass: submits probes for them, as
// ordinary solutions, and reports how near each came to passing.
//
//   LintOptions options;
//   ASSAY_ASSIGN_OR_RETURN(LintReport report,
//                          LintDefinitions(client, subjects, options));
//   for (const std::string& name : report.WeakDefinitions()) ...

#ifndef ASSAY_CLIENT_LINT_H_
#define ASSAY_CLIENT_LINT_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/workload.pb.h"
#include "client/client.h"

namespace assay {

// A definition that the coordinator has stored, with workloads of it.
struct LintSubject {
  v1::Definition definition;
  std::vector<v1::Workload> workloads;
};

struct LintOptions {
  // Tolerances and the rest.
  v1::EvaluationConfig config;
  // At most so many of each definition: the first, the last, and others between
  // them at even distances. At least 1.
  int workloads = 3;
  // Told what is being done, e.g. "12 of 60 evaluations".
  std::function<void(absl::string_view)> on_progress;
};

// What came of one probe.
struct LintResult {
  std::string definition;
  std::string output;
  // As Probe::kind.
  std::string probe;
  // Workloads with a verdict about the output, and those that passed.
  int judged = 0;
  int passed = 0;
  // Of the evaluation that came nearest to passing, when any was judged.
  std::string nearest_workload;
  v1::Correctness nearest;
  // Why some workload was not judged, for people; empty when all were.
  std::string trouble;

  bool passes() const { return passed > 0; }
};

struct LintReport {
  // In the order of the definitions, outputs and probes.
  std::vector<LintResult> results;

  // A definition that could not be probed at all.
  struct NotProbed {
    std::string definition;
    std::string reason;
  };
  std::vector<NotProbed> not_probed;

  // A definition with workloads of which all inputs are stored and none can be
  // varied: a solution can store the answers, and no probe would show it.
  struct Storable {
    std::string definition;
    std::vector<std::string> workloads;
  };
  std::vector<Storable> storable;

  // Those for which a probe passed, each once, in order.
  std::vector<std::string> WeakDefinitions() const;
  // Those for which a probe got no verdict or that were not probed, each once.
  std::vector<std::string> UnjudgedDefinitions() const;
};

// Blocks until every probe has ended. UNAVAILABLE when no worker is connected.
// Cancels what it submitted when it is given up.
absl::StatusOr<LintReport> LintDefinitions(
    Client& client, const std::vector<LintSubject>& subjects,
    const LintOptions& options);

}  // namespace assay

#endif  // ASSAY_CLIENT_LINT_H_
