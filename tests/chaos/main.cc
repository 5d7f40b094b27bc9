// assay-chaos: the clients of the chaos tests; see run.py.
//
//   assay-chaos --server HOST:PORT worker --id w1 --log w1.log
//   assay-chaos --server HOST:PORT submit --log submit.log
//   assay-chaos --server HOST:PORT await --seconds 60

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "tests/chaos/chaos_submitter.h"
#include "tests/chaos/chaos_worker.h"
#include "tests/chaos/event_log.h"

namespace assay::chaos {
namespace {

struct Flags {
  std::string server;
  std::string id;
  std::string log;
  int seconds = 60;
  int evaluation_ms = 10;
  int pause_ms = 50;
};

absl::Status Run(const CLI::App& app, const Flags& flags) {
  if (app.got_subcommand("await")) {
    ChaosSubmitter::Options options;
    options.server = flags.server;
    return ChaosSubmitter(std::move(options))
        .AwaitEnd(absl::Seconds(flags.seconds));
  }
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<EventLog> log,
                         EventLog::Open(flags.log));
  if (app.got_subcommand("worker")) {
    ChaosWorker::Options options;
    options.id = flags.id;
    options.server = flags.server;
    options.evaluation = absl::Milliseconds(flags.evaluation_ms);
    options.log = log.get();
    return ChaosWorker(std::move(options)).Run();
  }
  ChaosSubmitter::Options options;
  options.server = flags.server;
  options.pause = absl::Milliseconds(flags.pause_ms);
  options.log = log.get();
  ChaosSubmitter submitter(std::move(options));
  ASSAY_RETURN_IF_ERROR(submitter.CreateCatalog());
  return submitter.Run();
}

}  // namespace
}  // namespace assay::chaos

int main(int argc, char** argv) {
  CLI::App app("The clients of the chaos tests.", "assay-chaos");
  assay::chaos::Flags flags;
  app.add_option("--server", flags.server)->required();
  CLI::App* worker = app.add_subcommand("worker", "keeps evaluating");
  worker->add_option("--id", flags.id)->required();
  worker->add_option("--log", flags.log)->required();
  worker->add_option("--evaluation-ms", flags.evaluation_ms);
  CLI::App* submit = app.add_subcommand("submit", "keeps submitting");
  submit->add_option("--log", flags.log)->required();
  submit->add_option("--pause-ms", flags.pause_ms);
  CLI::App* await = app.add_subcommand("await", "until all jobs have ended");
  await->add_option("--seconds", flags.seconds);
  app.require_subcommand(1);
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = assay::chaos::Run(app, flags);
  if (status.ok()) return 0;
  std::fprintf(stderr, "assay-chaos: %s\n", status.ToString().c_str());
  return 1;
}
