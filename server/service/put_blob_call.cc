#include "server/service/put_blob_call.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/grpc_status.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr size_t kMaxChunkBytes = 1 << 20;

}  // namespace

PutBlobCall* PutBlobCall::Start(BlobStore& blobs, FileThreads& files,
                                OpenCalls& open_calls,
                                v1::PutBlobResponse* response,
                                const std::string& token_id) {
  std::shared_ptr<PutBlobCall> call(
      new PutBlobCall(blobs, files, open_calls, response));
  call->self_ = call;
  open_calls.Add(call, token_id);
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
  if (upload_ == nullptr) {
    size_bytes_ = incoming_.size_bytes();
    ASSAY_ASSIGN_OR_RETURN(upload_,
                           blobs_.Create(incoming_.sha256(), size_bytes_));
  }
  return upload_->Append(incoming_.data());
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
