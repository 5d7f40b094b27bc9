// Measures what Assay itself costs, on a coordinator and a worker that run
// already:
//
//   overhead_benchmark --server 127.0.0.1:50051 --rounds 20 SOLUTION...
//
// Submits each stored solution `rounds` times, one at a time, and prints for
// each the medians of
//   first event   from the call of CreateSubmission to the first event of a
//                 job on the watch stream
//   job           from the first event to the trace, per workload
//   overhead      what of it the stages build, baseline and measure do not
//                 explain: the price of an evaluation beyond them
// bench/run.sh starts the programs and calls it.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "client/client.h"
#include "client/watch.h"

namespace assay {
namespace {

struct Samples {
  std::vector<double> first_event_ms;
  std::vector<double> job_ms;
  std::vector<double> overhead_ms;
  std::map<std::string, std::vector<double>> stage_ms;
};

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double Milliseconds(absl::Duration duration) {
  return absl::ToDoubleMilliseconds(duration);
}

// Adds the stages of one evaluation; returns the time of those that are the
// work itself.
absl::Duration AddStages(const v1::Evaluation& evaluation, Samples& samples) {
  absl::Duration work;
  for (const v1::StageTime& stage : evaluation.stage_times()) {
    const absl::Duration time = absl::Seconds(stage.duration().seconds()) +
                                absl::Nanoseconds(stage.duration().nanos());
    samples.stage_ms[stage.stage()].push_back(Milliseconds(time));
    if (stage.stage() == "build" || stage.stage() == "baseline" ||
        stage.stage() == "measure") {
      work += time;
    }
  }
  return work;
}

// One submission from call to end.
absl::Status RunOnce(Client& client, const std::string& solution,
                     const v1::EvaluationConfig& config, Samples& samples) {
  v1::CreateSubmissionRequest request;
  request.set_solution_name(solution);
  // Workloads for other devices would wait for one.
  request.add_hardware("cpu");
  *request.mutable_config() = config;
  const absl::Time begin = absl::Now();
  ASSAY_ASSIGN_OR_RETURN(const v1::Submission submission,
                         client.CreateSubmission(request));
  absl::Time last = absl::InfinitePast();
  absl::Status failure;
  const absl::Status watched = WatchSubmissions(
      client, {submission.id()}, {}, [&](const v1::SubmissionEvent& event) {
        if (!event.has_job() && !event.has_trace()) return;
        const absl::Time now = absl::Now();
        if (event.has_job() && event.job().state() == v1::FAILED) {
          failure = absl::InternalError(event.job().failure().message());
        }
        if (event.has_job() && event.job().state() != v1::RUNNING) return;
        if (last == absl::InfinitePast()) {
          samples.first_event_ms.push_back(Milliseconds(now - begin));
          last = now;
        }
        if (!event.has_trace()) return;
        const absl::Duration work =
            AddStages(event.trace().trace().evaluation(), samples);
        samples.job_ms.push_back(Milliseconds(now - last));
        samples.overhead_ms.push_back(Milliseconds(now - last - work));
        last = now;
      });
  ASSAY_RETURN_IF_ERROR(watched);
  return failure;
}

void Print(const std::string& solution, const Samples& samples) {
  std::printf("%-40s %6zu %10.1f %10.1f %10.1f  ", solution.c_str(),
              samples.job_ms.size(), Median(samples.first_event_ms),
              Median(samples.job_ms), Median(samples.overhead_ms));
  for (const auto& [stage, times] : samples.stage_ms) {
    std::printf(" %s %.1f", stage.c_str(), Median(times));
  }
  std::printf("\n");
  // Also seen as it comes in a pipe.
  std::fflush(stdout);
}

int Main(int argc, char** argv) {
  Client::Options options;
  std::vector<std::string> solutions;
  int rounds = 20;
  CLI::App app("Measures what Assay itself costs.", "overhead_benchmark");
  app.add_option("--server", options.address)->capture_default_str();
  app.add_option("--rounds", rounds, "Submissions of each solution")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("solution", solutions, "Names of stored solutions")
      ->required();
  CLI11_PARSE(app, argc, argv);

  const absl::StatusOr<std::unique_ptr<Client>> client =
      Client::Connect(options);
  if (!client.ok()) {
    std::fprintf(stderr, "%s\n", client.status().ToString().c_str());
    return 1;
  }
  v1::EvaluationConfig config;
  config.set_warmup_runs(1);
  config.set_iterations(10);
  config.set_num_trials(1);
  std::printf("%-40s %6s %10s %10s %10s   medians of the stages, ms\n",
              "solution", "jobs", "first ev.", "job", "overhead");
  for (const std::string& solution : solutions) {
    Samples samples;
    // The first round builds and times the reference: both are cached after.
    Samples warm_up;
    absl::Status status = RunOnce(**client, solution, config, warm_up);
    for (int i = 0; i < rounds && status.ok(); ++i) {
      status = RunOnce(**client, solution, config, samples);
    }
    if (!status.ok()) {
      std::fprintf(stderr, "%s: %s\n", solution.c_str(),
                   status.ToString().c_str());
      return 1;
    }
    Print(solution, samples);
  }
  return 0;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Main(argc, argv); }
