// BlobService over the blob store.

#ifndef ASSAY_SERVER_SERVICE_BLOB_SERVICE_H_
#define ASSAY_SERVER_SERVICE_BLOB_SERVICE_H_

#include "assay/v1/blob_service.grpc.pb.h"
#include "server/auth/token_keeper.h"
#include "server/blob/blob_store.h"
#include "server/blob/file_threads.h"
#include "server/rpc/open_calls.h"

namespace assay {

// What it refers to outlives it. Thread-safe.
class BlobServiceImpl final : public v1::BlobService::CallbackService {
 public:
  BlobServiceImpl(BlobStore& blobs, FileThreads& files, OpenCalls& open_calls,
                  TokenKeeper& tokens)
      : blobs_(blobs),
        files_(files),
        open_calls_(open_calls),
        tokens_(tokens) {}

  grpc::ServerUnaryReactor* FindMissingBlobs(
      grpc::CallbackServerContext* context,
      const v1::FindMissingBlobsRequest* request,
      v1::FindMissingBlobsResponse* response) override;
  grpc::ServerReadReactor<v1::PutBlobRequest>* PutBlob(
      grpc::CallbackServerContext* context,
      v1::PutBlobResponse* response) override;
  grpc::ServerWriteReactor<v1::GetBlobResponse>* GetBlob(
      grpc::CallbackServerContext* context,
      const v1::GetBlobRequest* request) override;

 private:
  BlobStore& blobs_;
  FileThreads& files_;
  OpenCalls& open_calls_;
  TokenKeeper& tokens_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_BLOB_SERVICE_H_
