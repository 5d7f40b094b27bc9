// One call of BlobService.GetBlob.

#ifndef ASSAY_SERVER_SERVICE_GET_BLOB_CALL_H_
#define ASSAY_SERVER_SERVICE_GET_BLOB_CALL_H_

#include <grpcpp/support/server_callback.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "assay/v1/blob_service.pb.h"
#include "base/fd.h"
#include "server/blob/blob_store.h"
#include "server/blob/file_threads.h"
#include "server/rpc/open_calls.h"
#include "server/rpc/stream_sender.h"

namespace assay {

// Reads a chunk on a file thread, sends it, reads the next. Lives until gRPC is
// done with it.
class GetBlobCall final : public grpc::ServerWriteReactor<v1::GetBlobResponse>,
                          public OpenCalls::Call,
                          public std::enable_shared_from_this<GetBlobCall> {
 public:
  static GetBlobCall* Start(const BlobStore& blobs, FileThreads& files,
                            OpenCalls& open_calls, std::string sha256,
                            const std::string& token_id);

  void OnWriteDone(bool ok) override;
  void OnCancel() override { Stop(absl::CancelledError("cancelled")); }
  void OnDone() override;
  void Stop(const absl::Status& status) override { sender_.Finish(status); }
  int max_open() const override { return 256; }

 private:
  GetBlobCall(const BlobStore& blobs, FileThreads& files, OpenCalls& open_calls,
              std::string sha256)
      : blobs_(blobs),
        files_(files),
        open_calls_(open_calls),
        sha256_(std::move(sha256)),
        sender_(*this) {}
  void PostNext();
  // Empty at the end.
  absl::StatusOr<std::string> ReadChunk();

  const BlobStore& blobs_;
  FileThreads& files_;
  OpenCalls& open_calls_;
  const std::string sha256_;
  StreamSender<grpc::ServerWriteReactor<v1::GetBlobResponse>,
               v1::GetBlobResponse>
      sender_;
  // Belongs to the file thread's step, of which there is one at a time.
  UniqueFd fd_;
  std::shared_ptr<GetBlobCall> self_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_GET_BLOB_CALL_H_
