#include "server/scheduler/plan.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "assay/v1/device.pb.h"
#include "schema/hardware.h"

namespace assay {
namespace {

// `LOCAL`: the one word that a device without properties answers to.
bool IsAny(const std::string& word) {
  return HardwareMatches(word, v1::Device());
}

// `cpu`, `cuda`: every device of the kind.
bool IsKind(const std::string& word) {
  v1::Device device;
  device.set_kind(HardwareKind(word));
  return !device.kind().empty() && HardwareMatches(word, device);
}

bool IsArchitecture(const std::string& word) {
  return absl::StartsWithIgnoreCase(word, "sm_") ||
         absl::EqualsIgnoreCase(word, "x86_64") ||
         absl::EqualsIgnoreCase(word, "aarch64");
}

// True when every device that answers to `narrow` answers to `wide`.
bool Includes(const std::string& wide, const std::string& narrow) {
  v1::Device device;
  device.set_model(narrow);
  device.set_architecture(narrow);
  return HardwareMatches(wide, device);
}

// The narrower of two words that may name the same device; empty when none can
// answer to both.
std::string Narrower(const std::string& a, const std::string& b) {
  if (IsAny(a)) return b;
  if (IsAny(b)) return a;
  const std::string a_kind = HardwareKind(a);
  const std::string b_kind = HardwareKind(b);
  if (!a_kind.empty() && !b_kind.empty() && a_kind != b_kind) return "";
  if (IsKind(a)) return b;
  if (IsKind(b)) return a;
  if (Includes(a, b)) return b;
  if (Includes(b, a)) return a;
  // A model has one architecture, and a label stands for chosen devices.
  if (IsArchitecture(a) != IsArchitecture(b)) return IsArchitecture(a) ? b : a;
  if (a_kind.empty()) return a;
  if (b_kind.empty()) return b;
  return "";
}

std::string Words(const std::vector<std::string>& words) {
  return words.empty() ? "any device" : absl::StrJoin(words, " or ");
}

}  // namespace

std::vector<std::string> CommonHardware(const std::vector<std::string>& a,
                                        const std::vector<std::string>& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  std::vector<std::string> common;
  for (const std::string& first : a) {
    for (const std::string& second : b) {
      std::string word = Narrower(first, second);
      if (!word.empty() &&
          std::find(common.begin(), common.end(), word) == common.end()) {
        common.push_back(std::move(word));
      }
    }
  }
  return common;
}

Plan PlanJobs(const v1::Solution& solution,
              const std::vector<v1::Workload>& workloads,
              const std::vector<std::string>& requested) {
  const std::vector<std::string> solution_words(
      solution.spec().target_hardware().begin(),
      solution.spec().target_hardware().end());
  Plan plan;
  const auto skip = [&](const v1::Workload& workload, std::string reason) {
    plan.skipped.emplace_back();
    plan.skipped.back().set_workload_uuid(workload.uuid());
    plan.skipped.back().set_reason(std::move(reason));
  };
  for (const v1::Workload& workload : workloads) {
    const std::vector<std::string> workload_words(
        workload.target_hardware().begin(), workload.target_hardware().end());
    const std::vector<std::string> accepted =
        CommonHardware(solution_words, workload_words);
    if (accepted.empty() && !workload_words.empty()) {
      skip(workload,
           absl::StrCat("the solution runs on ", Words(solution_words),
                        ", the workload is for ", Words(workload_words)));
      continue;
    }
    if (requested.empty()) plan.jobs.push_back({workload.uuid(), accepted});
    for (const std::string& word : requested) {
      std::vector<std::string> cell = CommonHardware(accepted, {word});
      if (cell.empty()) {
        skip(workload,
             absl::StrCat("the request asks for ", word,
                          ", solution and workload are for ", Words(accepted)));
      } else {
        plan.jobs.push_back({workload.uuid(), std::move(cell)});
      }
    }
  }
  return plan;
}

}  // namespace assay
