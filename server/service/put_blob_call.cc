#include "server/service/put_blob_call.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/grpc_status.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr size_t kMaxChunkBytes = 1 << 20;

}  // namespace

PutBlobCall* PutBlobCall::Start(BlobStore& blobs, FileThreads& files,
                                OpenCalls& open_calls, TokenKeeper& tokens,
                                std::string token_id,
                                v1::PutBlobResponse* response) {
  std::shared_ptr<PutBlobCall> call(new PutBlobCall(
      blobs, files, open_calls, tokens, std::move(token_id), response));
  call->self_ = call;
  open_calls.Add(call, call->token_id_);
  call->ReadOn();
  return call.get();
}

void PutBlobCall::OnReadDone(bool ok) {
  files_.Post([self = shared_from_this(), ok] {
    const absl::Status status = ok ? self->TakeChunk() : self->Commit();
    if (ok && status.ok()) {
      return self->ReadOn();
    }
    if (!self->finish_.Claim()) return;
    if (status.ok()) self->response_->set_size_bytes(self->size_bytes_);
    self->Finish(ToGrpcStatus(status));
  });
}

void PutBlobCall::ReadOn() {
  finish_.IfOpen([this] { StartRead(&incoming_); });
}

absl::Status PutBlobCall::TakeChunk() {
  if (incoming_.data().size() > kMaxChunkBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("data has ", incoming_.data().size(),
                     " bytes: send at most 1 MiB in a message"));
  }
  if (upload_ == nullptr) ASSAY_RETURN_IF_ERROR(Begin());
  ASSAY_RETURN_IF_ERROR(upload_->Append(incoming_.data()));
  // Not Clear, which keeps the memory for as long as the client is silent.
  incoming_ = v1::PutBlobRequest();
  return absl::OkStatus();
}

absl::Status PutBlobCall::Begin() {
  size_bytes_ = incoming_.size_bytes();
  ASSAY_ASSIGN_OR_RETURN(upload_,
                         blobs_.Create(incoming_.sha256(), size_bytes_));
  const absl::Duration wait = tokens_.AdmitUpload(token_id_, size_bytes_);
  if (wait == absl::ZeroDuration()) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "the token has uploaded as much as it may for now, and these are ",
      size_bytes_, " bytes: try again in ",
      absl::FormatDuration(absl::Ceil(wait, absl::Seconds(1)))));
}

absl::Status PutBlobCall::Commit() {
  // The end of the stream may also be its break: a part is not committed.
  if (finish_.claimed()) return absl::CancelledError("cancelled");
  if (upload_ == nullptr) {
    return absl::InvalidArgumentError(
        "the stream is empty: send sha256, size_bytes and the data");
  }
  return upload_->Commit();
}

void PutBlobCall::Stop(const absl::Status& status) {
  if (finish_.Claim()) Finish(ToGrpcStatus(status));
}

void PutBlobCall::OnDone() {
  open_calls_.Remove(this);
  // A step on a file thread may still hold it.
  const std::shared_ptr<PutBlobCall> last = std::move(self_);
}

}  // namespace assay
