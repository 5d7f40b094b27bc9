// Which evaluations of a trace set the devices at hand can carry out.

#ifndef ASSAY_CLIENT_CLI_PLAN_H_
#define ASSAY_CLIENT_CLI_PLAN_H_

#include <string>
#include <vector>

#include "assay/v1/device.pb.h"
#include "assay/v1/solution.pb.h"
#include "client/cli/json_output.h"
#include "client/cli/reporter.h"
#include "schema/trace_set.h"

namespace assay {

struct PlannedSubmission {
  // Points into the trace set.
  const v1::Solution* solution = nullptr;
  // Empty: all of its definition.
  std::vector<std::string> workload_uuids;
};

// A solution that is left out.
struct NotRun {
  std::string solution;
  // "needs cuda".
  std::string reason;
};

struct Plan {
  std::vector<PlannedSubmission> submissions;
  std::vector<NotRun> not_run;
  // Workloads of the planned solutions that need another device.
  int workloads_left_out = 0;
  // Of everything planned.
  Labels labels;
};

// What at least one of the devices can carry out. The set outlives the plan.
Plan PlanFor(const TraceSet& set, const std::vector<v1::Device>& devices);

// Everything, for whatever devices there will be.
Plan PlanAll(const TraceSet& set);

// "not run, needs cuda: 2 solutions", and their names below, for each reason.
// A width of 0, unknown, wraps the names as kDefaultTextWidth would.
std::string NotRunText(const std::vector<NotRun>& not_run, int width);

// [{"solution": ..., "reason": ...}, ...]
Json NotRunJson(const std::vector<NotRun>& not_run);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_PLAN_H_
