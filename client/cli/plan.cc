#include "client/cli/plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/cli/text.h"
#include "schema/hardware.h"

namespace assay {
namespace {

// "cuda", "NVIDIA_H200 or sm_90a": kinds where there are any, for they say
// most.
std::string HardwareNeeded(
    const google::protobuf::RepeatedPtrField<std::string>& words,
    const v1::Device& device) {
  std::set<std::string> kinds;
  for (const std::string& word : words) {
    const std::string kind = HardwareKind(word);
    // Another model of the same kind: the word itself makes the difference.
    kinds.insert(kind.empty() || kind == device.kind() ? word : kind);
  }
  return absl::StrJoin(kinds, " or ");
}

template <typename Value>
bool Offers(const google::protobuf::RepeatedField<int>& offered, Value wanted) {
  // A device that says nothing is taken to know everything.
  return offered.empty() ||
         std::find(offered.begin(), offered.end(), static_cast<int>(wanted)) !=
             offered.end();
}

v1::BuildSpec::Binding EffectiveBinding(const v1::BuildSpec& spec) {
  const bool compiled = spec.language() == v1::BuildSpec::CPP ||
                        spec.language() == v1::BuildSpec::CUDA;
  if (compiled && spec.binding() == v1::BuildSpec::BINDING_UNSPECIFIED) {
    return v1::BuildSpec::TVM_FFI;
  }
  return spec.binding();
}

std::string Word(const std::string& enum_name) {
  return absl::StrReplaceAll(absl::AsciiStrToLower(enum_name), {{"_", "-"}});
}

// Why the device cannot run the solution; empty when it can.
std::string WhyNot(const v1::Solution& solution, const v1::Device& device) {
  const v1::BuildSpec& spec = solution.spec();
  if (!AnyHardwareMatches(spec.target_hardware(), device)) {
    return absl::StrCat("needs ",
                        HardwareNeeded(spec.target_hardware(), device));
  }
  if (!Offers(device.languages(), spec.language())) {
    return absl::StrCat("needs a worker for ",
                        Word(v1::BuildSpec::Language_Name(spec.language())));
  }
  const v1::BuildSpec::Binding binding = EffectiveBinding(spec);
  if (binding != v1::BuildSpec::BINDING_UNSPECIFIED &&
      !Offers(device.bindings(), binding)) {
    return absl::StrCat("needs a worker for binding ",
                        Word(v1::BuildSpec::Binding_Name(binding)));
  }
  return "";
}

// The devices that can run the solution; when there are none, why not.
std::vector<const v1::Device*> AbleDevices(
    const v1::Solution& solution, const std::vector<v1::Device>& devices,
    std::string& reason) {
  std::vector<const v1::Device*> able;
  for (const v1::Device& device : devices) {
    const std::string why_not = WhyNot(solution, device);
    if (why_not.empty()) {
      able.push_back(&device);
    } else if (reason.empty() ||
               AnyHardwareMatches(solution.spec().target_hardware(), device)) {
      // A device that fits but for the language says more than any other.
      reason = why_not;
    }
  }
  if (!able.empty()) reason.clear();
  return able;
}

bool AnyFits(const google::protobuf::RepeatedPtrField<std::string>& words,
             const std::vector<const v1::Device*>& devices) {
  return std::any_of(devices.begin(), devices.end(),
                     [&words](const v1::Device* device) {
                       return AnyHardwareMatches(words, *device);
                     });
}

}  // namespace

Plan PlanFor(const TraceSet& set, const std::vector<v1::Device>& devices) {
  Plan plan;
  std::map<std::string, std::vector<const v1::Workload*>> workloads;
  for (const auto& item : set.workloads) {
    workloads[item.value.definition()].push_back(&item.value.workload());
  }
  std::set<const v1::Workload*> left_out;
  for (const auto& item : set.solutions) {
    const v1::Solution& solution = item.value;
    std::string reason;
    const std::vector<const v1::Device*> able =
        AbleDevices(solution, devices, reason);
    PlannedSubmission submission;
    submission.solution = &solution;
    for (const v1::Workload* workload : workloads[solution.definition()]) {
      if (able.empty()) break;
      if (AnyFits(workload->target_hardware(), able)) {
        submission.workload_uuids.push_back(workload->uuid());
        plan.labels.AddWorkload(*workload);
      } else {
        left_out.insert(workload);
        reason = absl::StrCat(
            "its workloads need ",
            HardwareNeeded(workload->target_hardware(), *able.front()));
      }
    }
    if (submission.workload_uuids.empty()) {
      if (reason.empty()) reason = "its definition has no workloads";
      plan.not_run.push_back({solution.name(), std::move(reason)});
      continue;
    }
    plan.labels.AddSolution(solution.name());
    plan.submissions.push_back(std::move(submission));
  }
  plan.workloads_left_out = static_cast<int>(left_out.size());
  return plan;
}

Plan PlanAll(const TraceSet& set) {
  Plan plan;
  for (const auto& item : set.workloads) {
    plan.labels.AddWorkload(item.value.workload());
  }
  for (const auto& item : set.solutions) {
    plan.labels.AddSolution(item.value.name());
    plan.submissions.push_back({&item.value, {}});
  }
  return plan;
}

std::string NotRunText(const std::vector<NotRun>& not_run, int width) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const NotRun& one : not_run) {
    by_reason[one.reason].push_back(Printable(one.solution));
  }
  std::vector<std::string> lines;
  for (const auto& [reason, solutions] : by_reason) {
    lines.push_back(absl::StrCat(
        "not run, ", Printable(reason), ": ",
        Count(static_cast<int64_t>(solutions.size()), "solution")));
    lines.push_back(WrapList(solutions, /*indent=*/2,
                             width > 0 ? width : kDefaultTextWidth));
  }
  return absl::StrJoin(lines, "\n");
}

Json NotRunJson(const std::vector<NotRun>& not_run) {
  Json list = Json::EmptyArray();
  for (const NotRun& one : not_run) {
    list.Append(Json().Set("solution", one.solution).Set("reason", one.reason));
  }
  return list;
}

}  // namespace assay
