// Which jobs a submission becomes. Pure decisions.

#ifndef ASSAY_SERVER_SCHEDULER_PLAN_H_
#define ASSAY_SERVER_SCHEDULER_PLAN_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "assay/v1/evaluation_service.pb.h"
#include "assay/v1/solution.pb.h"
#include "assay/v1/workload.pb.h"

namespace assay {

struct PlannedJob {
  std::string workload_uuid;
  // Words of which the device must answer to one.
  std::vector<std::string> hardware;
};

struct Plan {
  std::vector<PlannedJob> jobs;
  // Cells without a device in common, with the reason.
  std::vector<v1::Submission::Skipped> skipped;
};

// The words that name the devices which both lists accept, the narrower word of
// each pair: {`cuda`} and {`cpu`, `NVIDIA_H200`} have {`NVIDIA_H200`}. Empty
// when there are none.
std::vector<std::string> CommonHardware(const std::vector<std::string>& a,
                                        const std::vector<std::string>& b);

// One job for each workload and each word of `requested`; with `requested`
// empty one for each workload, on what solution and workload both accept.
Plan PlanJobs(const v1::Solution& solution,
              const std::vector<v1::Workload>& workloads,
              const std::vector<std::string>& requested);

}  // namespace assay

#endif  // ASSAY_SERVER_SCHEDULER_PLAN_H_
