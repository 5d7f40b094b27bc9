// One call of AdminService.BackUp.

#ifndef ASSAY_SERVER_SERVICE_BACK_UP_CALL_H_
#define ASSAY_SERVER_SERVICE_BACK_UP_CALL_H_

#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "assay/v1/admin_service.pb.h"
#include "base/fd.h"
#include "server/blob/blob_store.h"
#include "server/blob/file_threads.h"
#include "server/rpc/open_calls.h"
#include "server/rpc/stream_sender.h"

namespace assay {

// What the calls share; outlives them.
struct BackUpContext {
  std::string store_path;
  const BlobStore& blobs;
  FileThreads& files;
  OpenCalls& open_calls;
  v1::ServerInfo info;
  // A snapshot has one place.
  std::atomic<bool> is_under_way{false};
};

// Prepares a message on a file thread, sends it, prepares the next. Lives until
// gRPC is done with it.
class BackUpCall final : public grpc::ServerWriteReactor<v1::BackUpResponse>,
                         public OpenCalls::Call,
                         public std::enable_shared_from_this<BackUpCall> {
 public:
  // `token_id` is the token of the caller; empty: none.
  static BackUpCall* Start(BackUpContext& context, const std::string& token_id);
  ~BackUpCall() override;

  void OnWriteDone(bool ok) override;
  void OnCancel() override { Stop(absl::CancelledError("cancelled")); }
  void OnDone() override;
  void Stop(const absl::Status& status) override { sender_.Finish(status); }

 private:
  explicit BackUpCall(BackUpContext& context)
      : context_(context), sender_(*this) {}
  void PostNext();
  // Nothing: all has been sent.
  absl::StatusOr<absl::optional<v1::BackUpResponse>> Next();
  absl::StatusOr<v1::BackUpResponse> Begin();
  absl::StatusOr<absl::optional<v1::BackUpResponse>> NextChunk();

  BackUpContext& context_;
  StreamSender<grpc::ServerWriteReactor<v1::BackUpResponse>, v1::BackUpResponse>
      sender_;
  // The rest belongs to the file thread's step, of which there is one at a
  // time.
  bool holds_the_place_ = false;
  UniqueFd database_;
  bool database_sent_ = false;
  std::vector<BlobStore::Blob> blobs_;
  size_t blobs_sent_ = 0;
  std::shared_ptr<BackUpCall> self_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_BACK_UP_CALL_H_
