// One call of EvaluationService.WatchSubmissions.

#ifndef ASSAY_SERVER_SERVICE_WATCH_CALL_H_
#define ASSAY_SERVER_SERVICE_WATCH_CALL_H_

#include <grpcpp/support/server_callback.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/optional.h"
#include "assay/v1/evaluation_service.pb.h"
#include "server/evaluation/event_hub.h"
#include "server/evaluation/watch.h"
#include "server/lease/presence.h"
#include "server/rpc/open_calls.h"
#include "server/store/store.h"

namespace assay {

// Carries what Watch gives to the client, one event after the other. Lives
// until gRPC is done with it.
class WatchCall final : public grpc::ServerWriteReactor<v1::SubmissionEvent>,
                        public OpenCalls::Call,
                        public std::enable_shared_from_this<WatchCall> {
 public:
  // A `valid` that is not OK ends the call with it.
  static WatchCall* Start(const absl::Status& valid,
                          const std::vector<std::string>& ids, Store& store,
                          EventHub& hub, const Presence& presence,
                          OpenCalls& open_calls, const std::string& token_id);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void Stop(const absl::Status& status) override;
  int max_open() const override { return 500; }

 private:
  explicit WatchCall(OpenCalls& open_calls) : open_calls_(open_calls) {}
  // Sends the next event or finishes, unless that is being done.
  void Pump();

  OpenCalls& open_calls_;
  std::shared_ptr<Watch> watch_;
  // Belongs to gRPC while `busy_`.
  v1::SubmissionEvent current_;

  absl::Mutex mutex_;
  // Someone takes an event, or gRPC writes one, or the call is finished.
  bool busy_ ABSL_GUARDED_BY(mutex_) = false;
  // Something happened while busy.
  bool again_ ABSL_GUARDED_BY(mutex_) = false;
  // Ends the call before its time.
  absl::optional<absl::Status> stop_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<WatchCall> self_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_WATCH_CALL_H_
