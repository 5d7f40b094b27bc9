#include "server/service/get_blob_call.h"

#include <unistd.h>

#include <cerrno>

#include "base/posix.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// Each stream that nobody reads holds one.
constexpr size_t kChunkBytes = 128 << 10;

}  // namespace

GetBlobCall* GetBlobCall::Start(const BlobStore& blobs, FileThreads& files,
                                OpenCalls& open_calls, std::string sha256,
                                const std::string& token_id) {
  std::shared_ptr<GetBlobCall> call(
      new GetBlobCall(blobs, files, open_calls, std::move(sha256)));
  call->self_ = call;
  open_calls.Add(call, token_id);
  call->PostNext();
  return call.get();
}

void GetBlobCall::PostNext() {
  files_.Post([self = shared_from_this()] {
    absl::StatusOr<std::string> chunk = self->ReadChunk();
    if (!chunk.ok()) return self->sender_.Finish(chunk.status());
    if (chunk->empty()) return self->sender_.Finish(absl::OkStatus());
    v1::GetBlobResponse response;
    response.set_data(*std::move(chunk));
    self->sender_.Send(std::move(response));
  });
}

absl::StatusOr<std::string> GetBlobCall::ReadChunk() {
  if (!fd_.valid()) {
    ASSAY_ASSIGN_OR_RETURN(fd_, blobs_.OpenForReading(sha256_));
  }
  std::string chunk(kChunkBytes, '\0');
  while (true) {
    const ssize_t got = read(fd_.get(), chunk.data(), chunk.size());
    if (got >= 0) {
      chunk.resize(static_cast<size_t>(got));
      return chunk;
    }
    if (errno != EINTR) return PosixError("reading a blob");
  }
}

void GetBlobCall::OnWriteDone(bool ok) {
  sender_.OnWriteDone(ok);
  if (ok) PostNext();
}

void GetBlobCall::OnDone() {
  open_calls_.Remove(this);
  // A step on a file thread may still hold it.
  const std::shared_ptr<GetBlobCall> last = std::move(self_);
}

}  // namespace assay
