// assay-load-seed: makes a store with many traces, for tests/load/run.sh.
//
//   assay-load-seed --store /tmp/assay.db --traces 1000000

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/load/seeder.h"

int main(int argc, char** argv) {
  CLI::App app("Makes a store with many traces.", "assay-load-seed");
  std::string path;
  assay::load::SeedShape shape;
  app.add_option("--store", path, "file that does not exist yet")->required();
  app.add_option("--traces", shape.traces)->capture_default_str();
  app.add_option("--workloads", shape.workloads, "of each definition")
      ->capture_default_str();
  app.add_option("--solutions", shape.solutions, "of each definition")
      ->capture_default_str();
  app.add_option("--rounds", shape.rounds,
                 "times that each solution was evaluated")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const absl::Time begin = absl::Now();
  const absl::Status status = assay::load::Seed(path, shape);
  if (!status.ok()) {
    std::fprintf(stderr, "assay-load-seed: %s\n", status.ToString().c_str());
    return 1;
  }
  std::printf("%lld traces, %d definitions, %.1f s\n",
              static_cast<long long>(shape.traces),
              assay::load::DefinitionCount(shape),
              absl::ToDoubleSeconds(absl::Now() - begin));
  return 0;
}
