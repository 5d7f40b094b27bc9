#include "server/simulation/lease_simulation.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "server/simulation/lease_world.h"

namespace assay {
namespace {

struct StepName {
  const char* name;
  // How often it comes, compared with the others.
  int weight;
};

// In the order of Step::Kind.
constexpr std::array<StepName, Step::kKinds> kSteps = {{
    {"submit", 4},
    {"cancel_submission", 1},
    {"start_worker", 2},
    {"kill_worker", 1},
    {"die_at_work", 2},
    {"register_replaced", 1},
    {"acquire", 12},
    {"acquire_unheard", 2},
    {"acquire_abandoned", 2},
    {"say_unwell", 1},
    {"drain", 1},
    {"undrain", 2},
    {"quarantine", 1},
    {"release", 3},
    {"connect", 6},
    {"break", 3},
    {"work", 20},
    {"stop", 1},
    {"send", 14},
    {"receive", 14},
    {"hear", 14},
    {"exchange", 12},
    {"advance", 8},
    {"restart", 1},
    {"fail_commit", 2},
    {"forge", 4},
}};

}  // namespace

std::vector<Step> RandomSteps(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  int total = 0;
  for (const StepName& step : kSteps) total += step.weight;
  std::vector<Step> steps;
  steps.reserve(count);
  while (steps.size() < count) {
    int left = static_cast<int>(random() % static_cast<uint64_t>(total));
    size_t kind = 0;
    while (left >= kSteps[kind].weight) left -= kSteps[kind++].weight;
    steps.push_back({static_cast<Step::Kind>(kind),
                     static_cast<uint32_t>(random() & 0xffffffff)});
  }
  return steps;
}

SimulationResult Simulate(const std::vector<Step>& steps) {
  LeaseWorld world;
  SimulationResult result;
  for (const Step& step : steps) {
    world.Run(step);
    ++result.steps;
    if (!world.fault().empty()) break;
  }
  if (world.fault().empty()) world.Settle();
  result.fault = world.fault();
  result.refused = world.refused();
  for (const auto& [id, row] : world.ledger().jobs()) {
    ++result.jobs;
    result.completed += row.job.state() == v1::COMPLETED ? 1 : 0;
    result.failed += row.job.state() == v1::FAILED ? 1 : 0;
    result.cancelled += row.job.state() == v1::CANCELLED ? 1 : 0;
    result.repeated_attempts += std::max(0, row.job.attempt() - 1);
  }
  return result;
}

std::vector<Step> Shrink(std::vector<Step> steps) {
  const SimulationResult first = Simulate(steps);
  if (first.fault.empty()) return steps;
  steps.resize(first.steps);
  // Ever smaller parts are left out.
  for (size_t part = std::max<size_t>(steps.size() / 2, 1);; part /= 2) {
    for (size_t begin = 0; begin < steps.size();) {
      std::vector<Step> fewer = steps;
      const auto from = fewer.begin() + static_cast<int64_t>(begin);
      const auto to = fewer.begin() + static_cast<int64_t>(
                                          std::min(begin + part, fewer.size()));
      fewer.erase(from, to);
      if (Simulate(fewer).fault.empty()) {
        begin += part;
      } else {
        steps = std::move(fewer);
      }
    }
    if (part <= 1) return steps;
  }
}

std::string Describe(const std::vector<Step>& steps) {
  std::string text;
  for (const Step& step : steps) {
    absl::StrAppend(&text, kSteps[static_cast<size_t>(step.kind)].name, " ",
                    step.choice, "\n");
  }
  return text;
}

absl::StatusOr<std::vector<Step>> ParseSteps(absl::string_view text) {
  std::vector<Step> steps;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::vector<absl::string_view> parts = absl::StrSplit(line, ' ');
    const auto* const found = std::find_if(
        kSteps.begin(), kSteps.end(),
        [&](const StepName& step) { return step.name == parts[0]; });
    Step step = {};
    if (parts.size() != 2 || found == kSteps.end() ||
        !absl::SimpleAtoi(parts[1], &step.choice)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "\"", line, "\" is no step: use lines such as \"submit 7\""));
    }
    step.kind = static_cast<Step::Kind>(found - kSteps.begin());
    steps.push_back(step);
  }
  return steps;
}

}  // namespace assay
