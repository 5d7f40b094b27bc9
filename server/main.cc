// assay-coordinator: stores, queues, ranks. Wires flags to the Coordinator.

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "server/auth/access_rules.h"
#include "server/auth/tls.h"
#include "server/auth/tokens.h"
#include "server/coordinator.h"
#include "server/store/visit.h"

namespace assay {
namespace {

// The command line is wrong; as sysexits.h has it, and as `assay` answers too.
constexpr int kUsage = 64;

struct Flags {
  Coordinator::Options coordinator;
  // Of the command create-token.
  CLI::App* create_token = nullptr;
  std::string token_name;
  std::string token_role;
  std::string lease_ttl = "30s";
  std::string worker_stop_grace = "60s";
  std::string spool_time = "10m";
  std::string keep_logs = "inf";
  std::string keep_unused_blobs = "168h";
  std::string log_level = "info";
  std::string port_file;
  int ready_fd = -1;
  bool die_with_parent = false;
};

void AddFlags(CLI::App& app, Flags& flags) {
  app.add_option("--listen", flags.coordinator.listen,
                 "address to serve on: HOST:PORT (port 0 picks one) or "
                 "unix:/path")
      ->capture_default_str();
  app.add_option("--http", flags.coordinator.http_listen,
                 "HOST:PORT for health and metrics over HTTP (/healthz, "
                 "/readyz, /metrics); default: none");
  app.add_flag("--http-insecure", flags.coordinator.http_insecure,
               "allow --http on an address that other machines can reach");
  app.add_option("--store", flags.coordinator.store_path,
                 "database file, created when missing")
      ->capture_default_str();
  TlsFiles& tls = flags.coordinator.tls;
  app.add_option("--tls-cert", tls.cert,
                 "certificate (PEM) to encrypt with, renewed from the file");
  app.add_option("--tls-key", tls.key, "its private key (PEM)");
  app.add_option("--tls-client-ca", tls.client_ca,
                 "authorities (PEM) whose certificates clients must show");
  app.add_flag("--insecure", flags.coordinator.insecure,
               "allow --listen on an address that other machines can reach, "
               "without encryption or tokens");
  app.add_option("--lease-ttl", flags.lease_ttl,
                 "a worker that is silent for this long loses its jobs")
      ->capture_default_str();
  app.add_option("--worker-stop-grace", flags.worker_stop_grace,
                 "a worker that is told to stop may finish its job for this "
                 "long")
      ->capture_default_str();
  app.add_option("--spool-time", flags.spool_time,
                 "workers keep results that they cannot deliver for this long")
      ->capture_default_str();
  app.add_option(
         "--keep-logs", flags.keep_logs,
         "logs of evaluations go after this long, e.g. 2160h; inf keeps "
         "them")
      ->capture_default_str();
  app.add_option("--keep-unused-blobs", flags.keep_unused_blobs,
                 "tensor files that no workload names go after this long; inf "
                 "keeps them")
      ->capture_default_str();
  app.add_option("--log-level", flags.log_level,
                 "debug, info, warning or error")
      ->capture_default_str()
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}));
  app.add_option("--port-file", flags.port_file,
                 "file that gets the address when ready");
  app.add_option("--ready-fd", flags.ready_fd,
                 "open descriptor that gets the address when ready");
  app.add_flag("--die-with-parent", flags.die_with_parent,
               "stop when the process that started this one ends");
  app.set_version_flag("--version",
                       absl::StrCat("assay-coordinator ", kVersion));
}

void AddCreateToken(CLI::App& app, Flags& flags) {
  flags.create_token = app.add_subcommand(
      "create-token",
      "Create a token in the store and print it; a coordinator may be running "
      "on it. From the first one on, calls are asked for a token.");
  flags.create_token
      ->add_option("--store", flags.coordinator.store_path,
                   "database file, created when missing")
      ->capture_default_str();
  flags.create_token
      ->add_option("--role", flags.token_role, "submit, worker or admin")
      ->required()
      ->check(CLI::IsMember({"submit", "worker", "admin"}));
  flags.create_token
      ->add_option("--name", flags.token_name,
                   "whose the token is, or what for")
      ->required();
}

v1::TokenRole RoleFrom(const std::string& word) {
  for (const v1::TokenRole role : {v1::SUBMIT, v1::WORKER, v1::ADMIN}) {
    if (word == RoleWord(role)) return role;
  }
  return v1::TOKEN_ROLE_UNSPECIFIED;
}

// The token goes to standard output alone, so that it can be sent to a file.
absl::Status RunCreateToken(const Flags& flags) {
  v1::CreateTokenRequest request;
  request.set_name(flags.token_name);
  request.set_role(RoleFrom(flags.token_role));
  ASSAY_RETURN_IF_ERROR(CheckCreateToken(request));
  v1::CreateTokenResponse created;
  ASSAY_RETURN_IF_ERROR(VisitStore(
      flags.coordinator.store_path, Clock::Real(),
      [&](Session& session) -> absl::Status {
        ASSAY_ASSIGN_OR_RETURN(created, CreateToken(session, request));
        return absl::OkStatus();
      }));
  std::cerr << "created the token " << created.token().id() << " (role "
            << flags.token_role << "); it is shown this once:" << std::endl;
  std::cout << created.text() << std::endl;
  return absl::OkStatus();
}

// An hour is the least: what was uploaded for a call that is under way must not
// go.
absl::Status ParseKeep(absl::string_view flag, const std::string& text,
                       absl::Duration& keep) {
  if (absl::ParseDuration(text, &keep) && keep >= absl::Hours(1)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      flag, " \"", text,
      "\" is not a duration of 1h or more, or inf: use e.g. 720h"));
}

absl::Status ParsePause(absl::string_view flag, const std::string& text,
                        absl::Duration& pause) {
  if (absl::ParseDuration(text, &pause) && pause >= absl::Seconds(1) &&
      pause <= absl::Hours(24)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      flag, " \"", text, "\" is not a duration of 1s to 24h: use e.g. 60s"));
}

absl::Status Apply(Flags& flags) {
  static const std::map<std::string, LogSeverity>& levels =
      *new std::map<std::string, LogSeverity>{
          {"debug", LogSeverity::kDebug},
          {"info", LogSeverity::kInfo},
          {"warning", LogSeverity::kWarning},
          {"error", LogSeverity::kError}};
  SetLogThreshold(levels.at(flags.log_level));
  absl::Duration& ttl = flags.coordinator.lease_ttl;
  if (!absl::ParseDuration(flags.lease_ttl, &ttl) || ttl < absl::Seconds(1) ||
      ttl > absl::Hours(1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--lease-ttl \"", flags.lease_ttl,
                     "\" is not a duration of 1s to 1h: use e.g. 30s"));
  }
  ASSAY_RETURN_IF_ERROR(ParsePause("--worker-stop-grace",
                                   flags.worker_stop_grace,
                                   flags.coordinator.worker_stop_grace));
  ASSAY_RETURN_IF_ERROR(ParsePause("--spool-time", flags.spool_time,
                                   flags.coordinator.spool_time));
  ASSAY_RETURN_IF_ERROR(
      ParseKeep("--keep-logs", flags.keep_logs, flags.coordinator.keep_logs));
  return ParseKeep("--keep-unused-blobs", flags.keep_unused_blobs,
                   flags.coordinator.keep_unused_blobs);
}

// Threads started later inherit the mask: only main takes these signals.
sigset_t BlockSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals;
}

absl::Status DieWithParent(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) return PosixError("prctl");
  // The parent may have ended before the call.
  if (getppid() != parent) return absl::CancelledError("the parent has ended");
  return absl::OkStatus();
}

absl::Status Announce(const Flags& flags, const std::string& address,
                      const std::string& http_address) {
  if (!flags.port_file.empty()) {
    ASSAY_RETURN_IF_ERROR(WriteFileAtomically(flags.port_file, address + "\n"));
  }
  if (flags.ready_fd >= 0) {
    const std::string line = address + "\n";
    if (write(flags.ready_fd, line.data(), line.size()) < 0) {
      return PosixError(absl::StrCat("--ready-fd ", flags.ready_fd));
    }
    close(flags.ready_fd);
  }
  std::cout << "assay-coordinator " << kVersion << " listening on " << address
            << ", store " << flags.coordinator.store_path;
  if (!http_address.empty()) std::cout << ", http on " << http_address;
  std::cout << std::endl;
  return absl::OkStatus();
}

absl::Status Run(Flags& flags) {
  const pid_t parent = getppid();
  ASSAY_RETURN_IF_ERROR(Apply(flags));
  const sigset_t signals = BlockSignals();
  if (flags.die_with_parent) ASSAY_RETURN_IF_ERROR(DieWithParent(parent));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Coordinator> coordinator,
                         Coordinator::Start(flags.coordinator));
  ASSAY_RETURN_IF_ERROR(
      Announce(flags, coordinator->address(), coordinator->http_address()));
  int signal_number = 0;
  sigwait(&signals, &signal_number);
  LogInfo("stopping; a second signal stops at once",
          {{"signal", signal_number}});
  // What is committed is safe however it ends.
  std::thread([signals] {
    int second = 0;
    sigwait(&signals, &second);
    _exit(128 + second);
  }).detach();
  coordinator->Stop();
  LogInfo("stopped");
  return absl::OkStatus();
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  CLI::App app(
      "The coordinator of Assay: stores what is submitted, hands it "
      "to workers, ranks the results.");
  assay::Flags flags;
  assay::AddFlags(app, flags);
  assay::AddCreateToken(app, flags);
  // The parser throws, also for --help and --version; nothing gets past here.
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : assay::kUsage;
  }
  const absl::Status status = flags.create_token->parsed()
                                  ? assay::RunCreateToken(flags)
                                  : assay::Run(flags);
  if (status.ok()) return 0;
  std::cerr << "assay-coordinator: " << status.message() << std::endl;
  return 1;
}
