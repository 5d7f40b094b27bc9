// One call of BlobService.PutBlob.

#ifndef ASSAY_SERVER_SERVICE_PUT_BLOB_CALL_H_
#define ASSAY_SERVER_SERVICE_PUT_BLOB_CALL_H_

#include <grpcpp/support/server_callback.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "assay/v1/blob_service.pb.h"
#include "server/auth/token_keeper.h"
#include "server/blob/blob_store.h"
#include "server/blob/file_threads.h"
#include "server/rpc/finish_once.h"
#include "server/rpc/open_calls.h"

namespace assay {

// Reads a chunk, writes it on a file thread, reads the next. Lives until gRPC
// is done with it.
class PutBlobCall final : public grpc::ServerReadReactor<v1::PutBlobRequest>,
                          public OpenCalls::Call,
                          public std::enable_shared_from_this<PutBlobCall> {
 public:
  static PutBlobCall* Start(BlobStore& blobs, FileThreads& files,
                            OpenCalls& open_calls, TokenKeeper& tokens,
                            std::string token_id,
                            v1::PutBlobResponse* response);

  void OnReadDone(bool ok) override;
  void OnCancel() override { Stop(absl::CancelledError("cancelled")); }
  void OnDone() override;
  void Stop(const absl::Status& status) override;
  int max_open() const override { return 256; }

 private:
  PutBlobCall(BlobStore& blobs, FileThreads& files, OpenCalls& open_calls,
              TokenKeeper& tokens, std::string token_id,
              v1::PutBlobResponse* response)
      : blobs_(blobs),
        files_(files),
        open_calls_(open_calls),
        tokens_(tokens),
        token_id_(std::move(token_id)),
        response_(response) {}
  void ReadOn();
  absl::Status Begin();
  absl::Status TakeChunk();
  absl::Status Commit();

  BlobStore& blobs_;
  FileThreads& files_;
  OpenCalls& open_calls_;
  TokenKeeper& tokens_;
  const std::string token_id_;
  v1::PutBlobResponse* const response_;
  // These belong in turn to gRPC's read and to the file thread's step.
  v1::PutBlobRequest incoming_;
  std::unique_ptr<BlobStore::Upload> upload_;
  int64_t size_bytes_ = 0;
  FinishOnce finish_;
  std::shared_ptr<PutBlobCall> self_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_PUT_BLOB_CALL_H_
