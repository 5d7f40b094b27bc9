// assay-load: measures a coordinator under load, with simulated workers and
// submitters. tests/load/run.sh starts both.
//
//   assay-load --server 127.0.0.1:50051 --pid 4711 --definitions 1 record

#include <CLI/CLI.hpp>
#include <cstdio>

#include "absl/status/status.h"
#include "tests/load/scenarios.h"

namespace assay::load {
namespace {

struct Flags {
  Target target;
  int seconds = 10;
  RecordOptions record;
  IdleOptions idle;
  SubmitOptions submit;
  OperationsOptions operations;
  BoardOptions board;
};

void AddTarget(CLI::App& app, Flags& flags) {
  app.add_option("--server", flags.target.address)->required();
  app.add_option("--pid", flags.target.pid, "process of the coordinator")
      ->required();
  app.add_option("--json", flags.target.json_path,
                 "file that results are appended to, an object a line");
  app.add_option("--definitions", flags.target.definitions,
                 "as assay-load-seed made them")
      ->capture_default_str();
  app.add_option("--workloads", flags.target.workloads)->capture_default_str();
  app.add_option("--solutions", flags.target.solutions)->capture_default_str();
  app.add_option("--seconds", flags.seconds, "length of a measurement")
      ->capture_default_str();
}

void AddScenarios(CLI::App& app, Flags& flags) {
  CLI::App* record = app.add_subcommand("record", "evaluations a second");
  record->add_option("--workers", flags.record.workers)->capture_default_str();
  record->add_option("--stages", flags.record.stages)->capture_default_str();
  record->add_option("--backlog", flags.record.backlog)->capture_default_str();
  CLI::App* idle = app.add_subcommand("idle", "workers that wait");
  idle->add_option("--workers", flags.idle.workers)->capture_default_str();
  CLI::App* submit = app.add_subcommand("submit", "submissions at a rate");
  submit->add_option("--rate", flags.submit.rate)->capture_default_str();
  submit->add_option("--jobs", flags.submit.workloads, "of each submission")
      ->capture_default_str();
  CLI::App* operations =
      app.add_subcommand("operations", "cost of each operation");
  operations->add_option("--repeats", flags.operations.repeats)
      ->capture_default_str();
  CLI::App* board = app.add_subcommand("board", "leaderboards at a rate");
  board->add_option("--rate", flags.board.rate)->capture_default_str();
  board->add_option("--workers", flags.board.workers)->capture_default_str();
  app.require_subcommand(1);
}

absl::Status Run(const CLI::App& app, Flags& flags) {
  const absl::Duration length = absl::Seconds(flags.seconds);
  flags.record.length = length;
  flags.idle.length = length;
  flags.submit.length = length;
  flags.board.length = length;
  if (app.got_subcommand("record")) {
    return MeasureRecord(flags.target, flags.record);
  }
  if (app.got_subcommand("idle")) return MeasureIdle(flags.target, flags.idle);
  if (app.got_subcommand("submit")) {
    return MeasureSubmit(flags.target, flags.submit);
  }
  if (app.got_subcommand("operations")) {
    return MeasureOperations(flags.target, flags.operations);
  }
  return MeasureBoards(flags.target, flags.board);
}

}  // namespace
}  // namespace assay::load

int main(int argc, char** argv) {
  CLI::App app("Measures a coordinator under load.", "assay-load");
  assay::load::Flags flags;
  assay::load::AddTarget(app, flags);
  assay::load::AddScenarios(app, flags);
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = assay::load::Run(app, flags);
  if (status.ok()) return 0;
  std::fprintf(stderr, "assay-load: %s\n", status.ToString().c_str());
  return 1;
}
