// Simulates the lease machine for as many steps as asked:
//   lease_simulation [STEPS [SEED]]      default: 1,000,000 steps from seed 1
//   lease_simulation --replay FILE       steps as a failed run printed them
//
// A fault is printed with its seed and as few steps as show it; exit code 1.

#include <cstring>
#include <iostream>
#include <string>

#include "absl/strings/numbers.h"
#include "base/file.h"
#include "base/log.h"
#include "server/simulation/lease_simulation.h"

namespace assay {
namespace {

constexpr size_t kStepsALife = 500;

int Fail(const SimulationResult& result) {
  std::cout << "fault: " << result.fault << std::endl;
  return 1;
}

int Replay(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  const absl::StatusOr<std::vector<Step>> steps =
      text.ok() ? ParseSteps(*text) : text.status();
  if (!steps.ok()) {
    std::cerr << steps.status().message() << std::endl;
    return 2;
  }
  const SimulationResult result = Simulate(*steps);
  if (!result.fault.empty()) return Fail(result);
  std::cout << "all held in " << result.steps << " steps" << std::endl;
  return 0;
}

int Run(size_t count, uint64_t seed) {
  SimulationResult total;
  for (; total.steps < count; ++seed) {
    const std::vector<Step> steps = RandomSteps(seed, kStepsALife);
    const SimulationResult result = Simulate(steps);
    if (!result.fault.empty()) {
      std::cout << "seed " << seed << ", steps:\n" << Describe(Shrink(steps));
      return Fail(result);
    }
    total.steps += result.steps;
    total.jobs += result.jobs;
    total.completed += result.completed;
    total.failed += result.failed;
    total.cancelled += result.cancelled;
    total.repeated_attempts += result.repeated_attempts;
    total.refused += result.refused;
  }
  std::cout << "all held in " << total.steps << " steps, seeds up to "
            << seed - 1 << ": " << total.jobs << " jobs, " << total.completed
            << " completed, " << total.failed << " failed, " << total.cancelled
            << " cancelled, " << total.repeated_attempts
            << " attempts repeated, " << total.refused << " messages refused"
            << std::endl;
  return 0;
}

int Main(int argc, char** argv) {
  SetLogThreshold(LogSeverity::kError);
  if (argc == 3 && std::strcmp(argv[1], "--replay") == 0)
    return Replay(argv[2]);
  size_t count = 1000000;
  uint64_t seed = 1;
  if (argc > 3 || (argc > 1 && !absl::SimpleAtoi(argv[1], &count)) ||
      (argc > 2 && !absl::SimpleAtoi(argv[2], &seed))) {
    std::cerr << "usage: lease_simulation [STEPS [SEED]] | --replay FILE\n";
    return 2;
  }
  return Run(count, seed);
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Main(argc, argv); }
