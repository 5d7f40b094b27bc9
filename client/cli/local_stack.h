// A coordinator and a worker of one's own, for as long as the object lives.

#ifndef ASSAY_CLIENT_CLI_LOCAL_STACK_H_
#define ASSAY_CLIENT_CLI_LOCAL_STACK_H_

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "assay/v1/device.pb.h"
#include "base/child_process.h"
#include "base/fd.h"
#include "base/file.h"
#include "client/cancellation.h"
#include "client/cli/last_resort.h"
#include "client/client.h"

namespace assay {

// The two programs run with a store and on a loopback port of their own. Create
// it on the main thread: the programs end when the thread that started them
// does. When one of them ends by itself the cancellation is used and
// CheckRunning() says what happened. Thread-compatible.
class LocalStack {
 public:
  struct Options {
    // Folder of assay-coordinator and assay-worker; empty: $ASSAY_BIN_DIR, else
    // the folder of this program.
    std::string program_dir;
    // Store file; empty: a temporary one.
    std::string store;
    // Folder for the worker's cache; empty: the worker's default.
    std::string cache_dir;
    // The worker's --sandbox; empty: its default.
    std::string sandbox;
    std::string device = "cpu";
    // How long each program may take to be ready.
    absl::Duration start_timeout = absl::Seconds(60);
    // Not null; outlives the stack.
    Cancellation* cancellation = nullptr;
  };

  // Returns once the worker is registered. The error names the program's log,
  // which is kept then.
  static absl::StatusOr<std::unique_ptr<LocalStack>> Start(Options options);

  // Stops the worker, then the coordinator. LastResort::CarryOutAll() kills
  // them and removes the folders of the stack, for a process that cannot wait.
  ~LocalStack();
  LocalStack(const LocalStack&) = delete;
  LocalStack& operator=(const LocalStack&) = delete;

  Client& client() { return *client_; }
  // The worker's device.
  const v1::Device& device() const { return device_; }

  // UNAVAILABLE when a program ended by itself: which, how, and its last words.
  absl::Status CheckRunning() { return CheckRunning(absl::ZeroDuration()); }

  // Keeps the programs' logs when the stack ends, and says where they are.
  std::string KeepLogs();

 private:
  LocalStack(Options options, TempDir state_dir, TempDir log_dir);

  absl::Status StartCoordinator();
  absl::Status StartWorker();
  absl::StatusOr<std::string> FindProgram(const std::string& name) const;
  absl::StatusOr<std::string> AwaitAddress(const std::string& port_file);
  absl::StatusOr<v1::Device> AwaitWorker();
  // Waits a moment. An error when a program has ended or time is up.
  absl::Status Pause(const std::string& awaited, absl::Time deadline);
  // An error when one of the programs has ended.
  absl::Status CheckRunning(absl::Duration patience);
  // `what` about a program, with its last words and where its log is kept.
  std::string WithLog(absl::string_view what, const std::string& name);
  std::string LogPath(const std::string& name) const;
  // Body of the thread that notices the end of a program.
  void Watch();

  const Options options_;
  LastResort last_resort_;
  const TempDir state_dir_;
  TempDir log_dir_;
  const std::string log_path_;
  std::string address_;
  std::unique_ptr<Client> client_;
  v1::Device device_;
  std::optional<ChildProcess> coordinator_;
  std::optional<ChildProcess> worker_;

  // Readable once the watching thread is to end.
  UniqueFd stop_;
  std::thread watcher_;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_LOCAL_STACK_H_
