#include "client/cli/local_stack.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "base/status_macros.h"
#include "client/cli/text.h"

namespace assay {
namespace {

constexpr char kCoordinator[] = "assay-coordinator";
constexpr char kWorker[] = "assay-worker";
constexpr absl::Duration kStep = absl::Milliseconds(5);
// A worker that is asked to stop ends the job at hand first; nobody waits for
// its result any more.
constexpr absl::Duration kStopGrace = absl::Seconds(3);
constexpr size_t kLastWords = 5;

// A token, in case the store asks for one, and no encryption: the coordinator
// is a child of this process, on loopback.
absl::StatusOr<ChannelSecurity> LoopbackSecurity() {
  SecurityFlags flags;
  flags.tls_ca = "none";
  return ResolveChannelSecurity(flags);
}

// The last lines of a log, indented.
std::string LastWords(const std::string& path) {
  const absl::StatusOr<std::string> log = ReadFile(path);
  if (!log.ok()) return "";
  const std::string text = Printable(*log);
  const std::vector<absl::string_view> lines =
      absl::StrSplit(absl::StripTrailingAsciiWhitespace(text), '\n');
  const size_t skipped =
      lines.size() > kLastWords ? lines.size() - kLastWords : 0;
  std::string words;
  for (size_t i = skipped; i < lines.size(); ++i) {
    if (!lines[i].empty()) absl::StrAppend(&words, "\n    ", lines[i]);
  }
  return words;
}

}  // namespace

LocalStack::LocalStack(Options options, TempDir state_dir, TempDir log_dir)
    : options_(std::move(options)),
      state_dir_(std::move(state_dir)),
      log_dir_(std::move(log_dir)),
      log_path_(log_dir_.path()) {
  last_resort_.AddFolder(state_dir_.path());
  last_resort_.AddFolder(log_path_);
}

LocalStack::~LocalStack() {
  if (watcher_.joinable()) {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written =
        write(stop_.get(), &one, sizeof(one));
    watcher_.join();
  }
  if (worker_.has_value()) worker_->Stop(kStopGrace);
  if (coordinator_.has_value()) coordinator_->Stop(kStopGrace);
}

absl::StatusOr<std::unique_ptr<LocalStack>> LocalStack::Start(Options options) {
  ASSAY_ASSIGN_OR_RETURN(TempDir state_dir, TempDir::Create("assay-run-"));
  ASSAY_ASSIGN_OR_RETURN(TempDir log_dir, TempDir::Create("assay-logs-"));
  std::unique_ptr<LocalStack> stack(new LocalStack(
      std::move(options), std::move(state_dir), std::move(log_dir)));
  ASSAY_RETURN_IF_ERROR(stack->StartCoordinator());
  ASSAY_RETURN_IF_ERROR(stack->StartWorker());
  stack->stop_.Reset(eventfd(0, EFD_CLOEXEC));
  stack->watcher_ = std::thread([raw = stack.get()] { raw->Watch(); });
  return stack;
}

std::string LocalStack::LogPath(const std::string& name) const {
  return absl::StrCat(log_path_, "/", name, ".log");
}

std::string LocalStack::KeepLogs() {
  last_resort_.KeepFolder(log_path_);
  log_dir_.Release();
  return log_path_;
}

std::string LocalStack::WithLog(absl::string_view what,
                                const std::string& name) {
  KeepLogs();
  return absl::StrCat(name, " ", what, "; its log is ", LogPath(name),
                      LastWords(LogPath(name)));
}

absl::StatusOr<std::string> LocalStack::FindProgram(
    const std::string& name) const {
  std::string folder = options_.program_dir;
  const char* variable = std::getenv("ASSAY_BIN_DIR");
  if (folder.empty() && variable != nullptr) folder = variable;
  if (folder.empty()) {
    ASSAY_ASSIGN_OR_RETURN(folder, ProgramDirectory());
  }
  const std::string path = absl::StrCat(folder, "/", name);
  if (access(path.c_str(), X_OK) == 0) return path;
  return absl::NotFoundError(absl::StrCat(
      "there is no program \"", name, "\" in \"", folder,
      "\"; name the folder that has it with --bin-dir or ASSAY_BIN_DIR"));
}

absl::Status LocalStack::CheckRunning(absl::Duration patience) {
  const auto check = [&](std::optional<ChildProcess>& child,
                         const std::string& name) -> absl::Status {
    if (!child.has_value()) return absl::OkStatus();
    const std::optional<int> ended = child->Wait(patience);
    if (!ended.has_value()) return absl::OkStatus();
    return absl::UnavailableError(WithLog(
        absl::StrCat("ended by itself: ", DescribeWaitStatus(*ended)), name));
  };
  ASSAY_RETURN_IF_ERROR(check(coordinator_, kCoordinator));
  return check(worker_, kWorker);
}

absl::Status LocalStack::Pause(const std::string& awaited,
                               absl::Time deadline) {
  ASSAY_RETURN_IF_ERROR(CheckRunning(kStep));
  if (options_.cancellation->cancelled()) {
    return absl::CancelledError("interrupted");
  }
  if (absl::Now() < deadline) return absl::OkStatus();
  return absl::DeadlineExceededError(
      WithLog(absl::StrCat("was not ready after ",
                           absl::FormatDuration(options_.start_timeout)),
              awaited));
}

absl::StatusOr<std::string> LocalStack::AwaitAddress(
    const std::string& port_file) {
  const absl::Time deadline = absl::Now() + options_.start_timeout;
  while (true) {
    absl::StatusOr<std::string> text = ReadFile(port_file);
    if (text.ok() && !text->empty()) {
      return std::string(absl::StripAsciiWhitespace(*text));
    }
    ASSAY_RETURN_IF_ERROR(Pause(kCoordinator, deadline));
  }
}

absl::Status LocalStack::StartCoordinator() {
  ASSAY_ASSIGN_OR_RETURN(const std::string program, FindProgram(kCoordinator));
  const std::string port_file = absl::StrCat(state_dir_.path(), "/address");
  const std::string store = options_.store.empty()
                                ? absl::StrCat(state_dir_.path(), "/assay.db")
                                : options_.store;
  ChildProcess::Options child;
  child.argv = {program, "--listen",    "127.0.0.1:0", "--store",
                store,   "--port-file", port_file,     "--die-with-parent"};
  child.output_path = LogPath(kCoordinator);
  ASSAY_ASSIGN_OR_RETURN(coordinator_, ChildProcess::Start(child));
  last_resort_.AddProgram(*coordinator_);
  ASSAY_ASSIGN_OR_RETURN(address_, AwaitAddress(port_file));
  Client::Options options;
  options.address = address_;
  // Only a store of one's own with tokens asks for one.
  ASSAY_ASSIGN_OR_RETURN(options.security, LoopbackSecurity());
  options.cancellation = options_.cancellation;
  ASSAY_ASSIGN_OR_RETURN(client_, Client::Connect(std::move(options)));
  return absl::OkStatus();
}

absl::Status LocalStack::StartWorker() {
  ASSAY_ASSIGN_OR_RETURN(const std::string program, FindProgram(kWorker));
  ChildProcess::Options child;
  child.argv = {program,         "--server", address_, "--device",
                options_.device, "--tls-ca", "none",   "--die-with-parent"};
  const auto add_flag = [&child](const char* flag, const std::string& value) {
    if (value.empty()) return;
    child.argv.insert(child.argv.end(), {flag, value});
  };
  add_flag("--cache", options_.cache_dir);
  add_flag("--sandbox", options_.sandbox);
  child.output_path = LogPath(kWorker);
  ASSAY_ASSIGN_OR_RETURN(worker_, ChildProcess::Start(child));
  last_resort_.AddProgram(*worker_);
  ASSAY_ASSIGN_OR_RETURN(device_, AwaitWorker());
  return absl::OkStatus();
}

absl::StatusOr<v1::Device> LocalStack::AwaitWorker() {
  const absl::Time start = absl::Now();
  while (true) {
    const absl::StatusOr<std::vector<v1::WorkerRecord>> workers =
        client_->ListWorkers().Collect();
    if (!workers.ok()) {
      // The reason is known better than that nobody answers.
      ASSAY_RETURN_IF_ERROR(CheckRunning(kStep));
      return workers.status();
    }
    // A store that was used before remembers workers that are gone.
    const auto found = std::find_if(
        workers->begin(), workers->end(),
        [start](const v1::WorkerRecord& worker) {
          return absl::FromUnixMicros(worker.last_seen_time_us()) >= start;
        });
    if (found != workers->end()) return found->device();
    ASSAY_RETURN_IF_ERROR(Pause(kWorker, start + options_.start_timeout));
  }
}

void LocalStack::Watch() {
  pollfd ends[] = {{stop_.get(), POLLIN, 0},
                   {coordinator_->pidfd(), POLLIN, 0},
                   {worker_->pidfd(), POLLIN, 0}};
  while (poll(ends, 3, -1) < 0) {
  }
  if (ends[0].revents == 0) options_.cancellation->Cancel();
}

}  // namespace assay
