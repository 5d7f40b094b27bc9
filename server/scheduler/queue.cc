#include "server/scheduler/queue.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "schema/binding.h"
#include "schema/hardware.h"

namespace assay {
namespace {

bool AnswersToOne(const v1::Device& device, const HardwareWords& words) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return HardwareMatches(word, device);
  });
}

bool HardwareFits(const Requirements& requirements, const v1::Device& device) {
  return std::all_of(
      requirements.hardware.begin(), requirements.hardware.end(),
      [&](const HardwareWords& words) { return AnswersToOne(device, words); });
}

// `cuda or cpu`; with several lists `rack-7, and cuda or cpu`.
std::string InWords(const std::vector<HardwareWords>& lists) {
  if (lists.empty()) return "any hardware";
  return absl::StrJoin(lists, ", and ",
                       [](std::string* out, const HardwareWords& words) {
                         absl::StrAppend(out, absl::StrJoin(words, " or "));
                       });
}

bool LanguageFits(const Requirements& requirements, const v1::Device& device) {
  const auto& languages = device.languages();
  return std::find(languages.begin(), languages.end(), requirements.language) !=
         languages.end();
}

bool BindingFits(const Requirements& requirements, const v1::Device& device) {
  const auto& bindings = device.bindings();
  return requirements.binding == v1::BuildSpec::BINDING_UNSPECIFIED ||
         std::find(bindings.begin(), bindings.end(), requirements.binding) !=
             bindings.end();
}

// Whether the group is for this worker rather than for another one.
bool IsOffered(const QueuedGroup& group, const KnownWorker& worker,
               const std::vector<KnownWorker>& live) {
  if (!Fits(group.requirements, worker.device)) return false;
  if (group.avoid_worker != worker.id) return true;
  return std::none_of(live.begin(), live.end(), [&](const KnownWorker& other) {
    return other.id != worker.id && other.unavailable.empty() &&
           Fits(group.requirements, other.device);
  });
}

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// How much the worker has at hand for the group: 0 most.
int Effort(const QueuedGroup& group, const WorkerHistory& history) {
  if (Has(history.solution_digests, group.solution_digest)) return 0;
  return Has(history.definitions, group.definition) ? 1 : 2;
}

// Smaller goes first.
auto Order(const QueuedGroup& group, int effort) {
  return std::make_tuple(-group.priority, group.author_turn, effort,
                         group.first_seq);
}

}  // namespace

bool Fits(const Requirements& requirements, const v1::Device& device) {
  return HardwareFits(requirements, device) &&
         LanguageFits(requirements, device) &&
         BindingFits(requirements, device);
}

std::string DeviceClass(const v1::Device& device) {
  // What the words of target_hardware may name, then what it runs.
  return absl::StrJoin({device.kind(), device.model(), device.architecture(),
                        absl::StrJoin(device.labels(), "\n"),
                        absl::StrJoin(device.languages(), " "),
                        absl::StrJoin(device.bindings(), " ")},
                       "\n\n");
}

GroupChoice ChooseGroups(const std::vector<QueuedGroup>& waiting,
                         const KnownWorker& worker,
                         const std::vector<KnownWorker>& live,
                         const WorkerHistory& history) {
  std::vector<const QueuedGroup*> offered;
  for (const QueuedGroup& group : waiting) {
    if (IsOffered(group, worker, live)) offered.push_back(&group);
  }
  GroupChoice choice;
  if (offered.empty()) return choice;
  const auto oldest =
      *std::min_element(offered.begin(), offered.end(),
                        [](const QueuedGroup* a, const QueuedGroup* b) {
                          return Order(*a, 0) < Order(*b, 0);
                        });
  const auto easiest = *std::min_element(
      offered.begin(), offered.end(),
      [&](const QueuedGroup* a, const QueuedGroup* b) {
        return Order(*a, Effort(*a, history)) < Order(*b, Effort(*b, history));
      });
  choice.preferred = history.preferred < kMaxPreferred &&
                     easiest->submission_id != oldest->submission_id;
  const QueuedGroup& best = choice.preferred ? *easiest : *oldest;
  for (const QueuedGroup* group : offered) {
    if (group->submission_id == best.submission_id) {
      choice.groups.push_back(*group);
    }
  }
  return choice;
}

int64_t LeaseShare(int64_t waiting, int64_t workers) {
  constexpr int64_t kWorthABuild = 4;
  workers = std::max<int64_t>(workers, 1);
  return std::max((waiting + workers - 1) / workers, kWorthABuild);
}

std::string WaitingNote(const Requirements& requirements,
                        const std::vector<KnownWorker>& live) {
  if (live.empty()) {
    return "no worker is registered: start one with assay-worker";
  }
  std::vector<v1::Device> devices;
  const KnownWorker* unavailable = nullptr;
  for (const KnownWorker& worker : live) {
    if (Fits(requirements, worker.device)) {
      if (worker.unavailable.empty()) return "";
      if (unavailable == nullptr) unavailable = &worker;
    }
    if (HardwareFits(requirements, worker.device)) {
      devices.push_back(worker.device);
    }
  }
  if (unavailable != nullptr) {
    return absl::StrCat("worker \"", unavailable->id, "\" fits, but is ",
                        unavailable->unavailable);
  }
  const std::string hardware = InWords(requirements.hardware);
  if (devices.empty()) {
    return absl::StrCat("no registered worker has ", hardware);
  }
  for (const v1::Device& device : devices) {
    if (!LanguageFits(requirements, device)) continue;
    return absl::StrCat("no registered worker with ", hardware,
                        " offers the binding ",
                        BindingName(requirements.binding));
  }
  return absl::StrCat("no registered worker with ", hardware, " runs ",
                      LanguageName(requirements.language));
}

}  // namespace assay
