#include "server/service/blob_service.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "server/auth/call_check.h"
#include "server/rpc/unary.h"
#include "server/service/get_blob_call.h"
#include "server/service/put_blob_call.h"

namespace assay {
namespace {

constexpr int kMaxDigests = 10000;

absl::StatusOr<v1::FindMissingBlobsResponse> FindMissing(
    const BlobStore& blobs, const v1::FindMissingBlobsRequest& request) {
  v1::FindMissingBlobsResponse response;
  for (const std::string& sha256 : request.sha256()) {
    ASSAY_RETURN_IF_ERROR(CheckSha256(sha256));
    if (!blobs.Has(sha256)) response.add_missing_sha256(sha256);
  }
  return response;
}

}  // namespace

grpc::ServerUnaryReactor* BlobServiceImpl::FindMissingBlobs(
    grpc::CallbackServerContext* context,
    const v1::FindMissingBlobsRequest* request,
    v1::FindMissingBlobsResponse* response) {
  if (request->sha256_size() > kMaxDigests) {
    return Refuse(context, absl::InvalidArgumentError(absl::StrCat(
                               "sha256 has ", request->sha256_size(),
                               " digests: ask for at most ", kMaxDigests)));
  }
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  files_.Post([this, request, answer = Answer(reactor, response)] {
    answer(FindMissing(blobs_, *request));
  });
  return reactor;
}

grpc::ServerReadReactor<v1::PutBlobRequest>* BlobServiceImpl::PutBlob(
    grpc::CallbackServerContext* context, v1::PutBlobResponse* response) {
  return PutBlobCall::Start(blobs_, files_, open_calls_, tokens_,
                            TokenIdOf(*context), response);
}

grpc::ServerWriteReactor<v1::GetBlobResponse>* BlobServiceImpl::GetBlob(
    grpc::CallbackServerContext* context, const v1::GetBlobRequest* request) {
  return GetBlobCall::Start(blobs_, files_, open_calls_, request->sha256(),
                            TokenIdOf(*context));
}

}  // namespace assay
