// A coordinator for tests: real gRPC on a loopback port, answers from memory.
//
//   FakeCoordinator fake;
//   fake.Edit([](FakeCoordinator::State& state) {
//     state.blobs["..."] = "content";
//   });
//   options.address = fake.address();
//
// It keeps what it is given and judges nothing. Thread-safe.

#ifndef ASSAY_CLIENT_FAKE_COORDINATOR_H_
#define ASSAY_CLIENT_FAKE_COORDINATOR_H_

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "assay/v1/admin_service.pb.h"
#include "assay/v1/catalog_service.pb.h"
#include "assay/v1/evaluation_service.pb.h"
#include "assay/v1/leaderboard_service.pb.h"
#include "assay/v1/worker_service.pb.h"

namespace assay {

class FakeCoordinator {
 public:
  struct State {
    State();

    v1::ServerInfo info;
    std::vector<v1::DefinitionRecord> definitions;
    std::vector<v1::SolutionRecord> solutions;
    std::vector<v1::WorkloadRecord> workloads;
    std::vector<v1::Submission> submissions;
    std::vector<v1::Job> jobs;
    std::vector<v1::TraceRecord> traces;
    std::vector<v1::Leaderboard> boards;
    std::vector<v1::WorkerRecord> workers;
    // Content by digest.
    std::map<std::string, std::string> blobs;
    // What a backup brings, and how many bytes it announces; nothing: as many
    // as it brings.
    std::string database = "database";
    absl::optional<int64_t> announced_bytes;

    // What a watch of the submission sends between its first and last event.
    std::map<std::string, std::vector<v1::SubmissionEvent>> events;
    // Called for each submission that is created, to add its events.
    std::function<void(State&, const v1::CreateSubmissionRequest&,
                       v1::Submission&)>
        on_submit;
    // A watch breaks with this error after so many events; one entry per call.
    absl::Status break_watch_with = absl::UnavailableError("stopping");
    std::deque<int> break_watch_after;
    // Called when a watch has sent its events.
    std::function<void()> on_watched;
    // While true, a watch waits after its events, until the caller gives up.
    bool hold_watch = false;

    // Errors to answer with, first in first out, by name of the call.
    std::map<std::string, std::deque<absl::Status>> errors;

    // What came in.
    std::vector<v1::ImportTraceSetRequest> imported;
    std::vector<v1::CreateSubmissionRequest> submitted;
    std::vector<std::string> cancelled;
    std::map<std::string, int> calls;
    // What an import answers beside the counts.
    v1::ImportTraceSetResponse import_response;
  };

  // Listens at once.
  FakeCoordinator();
  ~FakeCoordinator();
  FakeCoordinator(const FakeCoordinator&) = delete;
  FakeCoordinator& operator=(const FakeCoordinator&) = delete;

  // `127.0.0.1:port`.
  const std::string& address() const { return address_; }

  // Reads or changes the state under its lock.
  void Edit(const std::function<void(State&)>& edit);

 private:
  class Server;

  std::unique_ptr<Server> server_;
  std::string address_;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_FAKE_COORDINATOR_H_
