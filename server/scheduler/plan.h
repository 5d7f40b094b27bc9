// Which jobs a submission becomes. Pure decisions.

#ifndef ASSAY_SERVER_SCHEDULER_PLAN_H_
#define ASSAY_SERVER_SCHEDULER_PLAN_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "assay/v1/evaluation_service.pb.h"
#include "assay/v1/solution.pb.h"
#include "assay/v1/workload.pb.h"
#include "server/scheduler/queue.h"

namespace assay {

struct PlannedJob {
  std::string workload_uuid;
  // Lists that the device must fit, every one; none: any device. The first is
  // CommonHardware of all: what people are shown. Of two words that say
  // different things about a device, e.g. a label and a model, it has but one,
  // so the lists that it was made of follow where they may demand more.
  std::vector<HardwareWords> hardware;
};

struct Plan {
  std::vector<PlannedJob> jobs;
  // Cells without a device in common, with the reason.
  std::vector<v1::Submission::Skipped> skipped;
};

// The words that name the devices which both lists accept, the narrower word of
// each pair: {`cuda`} and {`cpu`, `NVIDIA_H200`} have {`NVIDIA_H200`}. Empty
// when there are none.
HardwareWords CommonHardware(const HardwareWords& a, const HardwareWords& b);

// One job for each workload and each word of `requested`; with `requested`
// empty one for each workload, on what solution and workload both accept.
Plan PlanJobs(const v1::Solution& solution,
              const std::vector<v1::Workload>& workloads,
              const HardwareWords& requested);

}  // namespace assay

#endif  // ASSAY_SERVER_SCHEDULER_PLAN_H_
