// Measures what the sandbox costs at the start of a process:
//
//   start_benchmark --dist dist --starts 50
//
// Starts trivial programs as a worker starts compilers, native runners and
// children of its Python zygote, in turn with --sandbox=off and strict, and
// prints median and 90th percentile of each. bench/starts.sh calls it.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "worker/launcher/launcher.h"
#include "worker/runner/native_runner.h"
#include "worker/runner/python_zygote.h"
#include "worker/runner/session.h"
#include "worker/sandbox/sandbox.h"

namespace assay {
namespace {

// As a worker has them, see worker_options.h.
constexpr uint32_t kFirstUserId = 64000;

constexpr absl::Duration kTimeout = absl::Minutes(1);

using Time = absl::StatusOr<absl::Duration>;

// Starts processes as a worker does that was given this --sandbox.
class Starter {
 public:
  static absl::StatusOr<std::unique_ptr<Starter>> Create(
      SandboxMode mode, const std::string& libexec) {
    ASSAY_ASSIGN_OR_RETURN(auto launcher,
                           Launcher::Start(libexec + "/assay-launcher"));
    SandboxOptions options;
    options.first_user_id = kFirstUserId;
    options.enter_path = libexec + "/assay-enter";
    ASSAY_ASSIGN_OR_RETURN(Sandbox sandbox,
                           Sandbox::Create(mode, *launcher, options));
    ASSAY_ASSIGN_OR_RETURN(TempDir folder, TempDir::Create("assay-bench-"));
    std::unique_ptr<Starter> starter(new Starter(
        libexec, std::move(launcher), std::move(sandbox), std::move(folder)));
    ASSAY_RETURN_IF_ERROR(starter->StartZygote());
    return starter;
  }

  // A program to its end, as a compiler runs.
  Time Build() {
    SandboxProfile profile;
    profile.writable_paths = {folder_.path()};
    profile.working_directory = folder_.path();
    profile.bounded_folder = folder_.path();
    profile.bounded_folder_bytes = 1 << 30;
    const absl::Time begin = absl::Now();
    ASSAY_ASSIGN_OR_RETURN(
        const SandboxRun run,
        sandbox_.Run(*launcher_, profile, {"/bin/true"}, kTimeout));
    if (!run.exit.success()) return absl::InternalError(run.log);
    return absl::Now() - begin;
  }

  // Until it asks for a solution.
  Time StartRunner() {
    NativeRunnerOptions options;
    options.runner_path = libexec_ + "/assay-runner";
    const absl::Time begin = absl::Now();
    ASSAY_ASSIGN_OR_RETURN(last_,
                           StartNativeRunner(*launcher_, sandbox_, options));
    return absl::Now() - begin;
  }

  Time ForkPython() {
    const absl::Time begin = absl::Now();
    ASSAY_ASSIGN_OR_RETURN(last_, zygote_->Fork());
    return absl::Now() - begin;
  }

  // Until nothing is left of the process that was started last.
  Time End() {
    const absl::Time begin = absl::Now();
    last_.reset();
    return absl::Now() - begin;
  }

  std::string description() const { return sandbox_.description(); }

 private:
  Starter(std::string libexec, std::unique_ptr<Launcher> launcher,
          Sandbox sandbox, TempDir folder)
      : libexec_(std::move(libexec)),
        launcher_(std::move(launcher)),
        sandbox_(std::move(sandbox)),
        folder_(std::move(folder)) {}

  absl::Status StartZygote() {
    PythonZygoteOptions options;
    options.package_dir = libexec_ + "/python";
    options.harness_path = libexec_ + "/libassay_harness.so";
    options.torch_threads = 1;
    // Else its children have namespaces without a sandbox, too.
    options.isolate_children = sandbox_.confines();
    ASSAY_ASSIGN_OR_RETURN(zygote_,
                           PythonZygote::Start(*launcher_, sandbox_, options));
    return absl::OkStatus();
  }

  const std::string libexec_;
  const std::unique_ptr<Launcher> launcher_;
  const Sandbox sandbox_;
  const TempDir folder_;
  std::unique_ptr<PythonZygote> zygote_;
  std::unique_ptr<RunnerSession> last_;
};

struct Case {
  const char* name;
  Time (Starter::*step)();
  std::vector<double> off_ms;
  std::vector<double> strict_ms;
};

double Quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * (values.size() - 1) + 0.5)];
}

// In turn, so that what else the machine does meets both alike.
absl::Status Measure(Starter& off, Starter& strict, int starts,
                     std::vector<Case>& cases) {
  // The first round fills caches and does not count.
  for (int round = 0; round <= starts; ++round) {
    for (Case& one : cases) {
      ASSAY_ASSIGN_OR_RETURN(const absl::Duration bare, (off.*one.step)());
      ASSAY_ASSIGN_OR_RETURN(const absl::Duration confined,
                             (strict.*one.step)());
      if (round == 0) continue;
      one.off_ms.push_back(absl::ToDoubleMilliseconds(bare));
      one.strict_ms.push_back(absl::ToDoubleMilliseconds(confined));
    }
  }
  return absl::OkStatus();
}

absl::Status Run(const std::string& dist, int starts) {
  const std::string libexec = dist + "/libexec/assay";
  ASSAY_ASSIGN_OR_RETURN(const auto off,
                         Starter::Create(SandboxMode::kOff, libexec));
  ASSAY_ASSIGN_OR_RETURN(const auto strict,
                         Starter::Create(SandboxMode::kStrict, libexec));
  std::vector<Case> cases = {
      {"build: a program to its end", &Starter::Build, {}, {}},
      {"native runner: start", &Starter::StartRunner, {}, {}},
      {"native runner: end", &Starter::End, {}, {}},
      {"child of the zygote: start", &Starter::ForkPython, {}, {}},
      {"child of the zygote: end", &Starter::End, {}, {}},
  };
  ASSAY_RETURN_IF_ERROR(Measure(*off, *strict, starts, cases));
  std::printf("user %u, %d starts, ms; strict: %s\n", getuid(), starts,
              strict->description().c_str());
  std::printf("%-30s %8s %8s %8s %8s %8s\n", "", "off", "p90", "strict", "p90",
              "sandbox");
  for (const Case& one : cases) {
    const double off_ms = Quantile(one.off_ms, 0.5);
    const double strict_ms = Quantile(one.strict_ms, 0.5);
    std::printf("%-30s %8.1f %8.1f %8.1f %8.1f %8.1f\n", one.name, off_ms,
                Quantile(one.off_ms, 0.9), strict_ms,
                Quantile(one.strict_ms, 0.9), strict_ms - off_ms);
  }
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  std::string dist;
  int starts = 50;
  CLI::App app("Measures what the sandbox costs.", "start_benchmark");
  app.add_option("--dist", dist, "Absolute path of an installation")
      ->required();
  app.add_option("--starts", starts)
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = Run(dist, starts);
  if (status.ok()) return 0;
  std::fprintf(stderr, "start_benchmark: %s\n", status.ToString().c_str());
  return 1;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Main(argc, argv); }
