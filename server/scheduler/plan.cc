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

std::string Words(const HardwareWords& words) {
  return words.empty() ? "any device" : absl::StrJoin(words, " or ");
}

// True when every device that answers to one of `narrow` answers to one of
// `wide`, as far as the words alone tell.
bool Covers(const HardwareWords& wide, const HardwareWords& narrow) {
  return std::any_of(wide.begin(), wide.end(), IsAny) ||
         std::all_of(
             narrow.begin(), narrow.end(), [&](const std::string& word) {
               return std::find(wide.begin(), wide.end(), word) != wide.end();
             });
}

// `common`, and those of `lists` that may demand more.
std::vector<HardwareWords> AllOf(const HardwareWords& common,
                                 const std::vector<HardwareWords>& lists) {
  std::vector<HardwareWords> result;
  if (common.empty()) return result;
  result.push_back(common);
  for (const HardwareWords& words : lists) {
    const bool covered = std::any_of(
        result.begin(), result.end(), [&](const HardwareWords& other) {
          return words.empty() || Covers(words, other);
        });
    if (!covered) result.push_back(words);
  }
  return result;
}

}  // namespace

HardwareWords CommonHardware(const HardwareWords& a, const HardwareWords& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  HardwareWords common;
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
              const HardwareWords& requested) {
  const HardwareWords solution_words(solution.spec().target_hardware().begin(),
                                     solution.spec().target_hardware().end());
  Plan plan;
  const auto skip = [&](const v1::Workload& workload, std::string reason) {
    plan.skipped.emplace_back();
    plan.skipped.back().set_workload_uuid(workload.uuid());
    plan.skipped.back().set_reason(std::move(reason));
  };
  for (const v1::Workload& workload : workloads) {
    const HardwareWords workload_words(workload.target_hardware().begin(),
                                       workload.target_hardware().end());
    const HardwareWords accepted =
        CommonHardware(solution_words, workload_words);
    if (accepted.empty() && !workload_words.empty()) {
      skip(workload,
           absl::StrCat("the solution runs on ", Words(solution_words),
                        ", the workload is for ", Words(workload_words)));
      continue;
    }
    if (requested.empty()) {
      plan.jobs.push_back(
          {workload.uuid(), AllOf(accepted, {solution_words, workload_words})});
    }
    for (const std::string& word : requested) {
      const HardwareWords cell = CommonHardware(accepted, {word});
      if (cell.empty()) {
        skip(workload,
             absl::StrCat("the request asks for ", word,
                          ", solution and workload are for ", Words(accepted)));
      } else {
        plan.jobs.push_back(
            {workload.uuid(),
             AllOf(cell, {{word}, solution_words, workload_words})});
      }
    }
  }
  return plan;
}

}  // namespace assay
