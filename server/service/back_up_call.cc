#include "server/service/back_up_call.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/log.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "server/store/snapshot.h"

namespace assay {
namespace {

constexpr size_t kChunkBytes = 1 << 20;
constexpr size_t kBlobsInMessage = 1000;

}  // namespace

BackUpCall* BackUpCall::Start(BackUpContext& context,
                              const std::string& token_id) {
  std::shared_ptr<BackUpCall> call(new BackUpCall(context));
  call->self_ = call;
  context.open_calls.Add(call, token_id);
  call->PostNext();
  return call.get();
}

BackUpCall::~BackUpCall() {
  if (holds_the_place_) context_.is_under_way = false;
}

void BackUpCall::PostNext() {
  context_.files.Post([self = shared_from_this()] {
    absl::StatusOr<absl::optional<v1::BackUpResponse>> message = self->Next();
    if (!message.ok()) return self->sender_.Finish(message.status());
    if (!message->has_value()) return self->sender_.Finish(absl::OkStatus());
    self->sender_.Send(**std::move(message));
  });
}

absl::StatusOr<absl::optional<v1::BackUpResponse>> BackUpCall::Next() {
  if (!database_.valid()) return Begin();
  if (!database_sent_) {
    ASSAY_ASSIGN_OR_RETURN(absl::optional<v1::BackUpResponse> chunk,
                           NextChunk());
    if (chunk.has_value()) return chunk;
    database_sent_ = true;
    // After the database, so that each that it names is there, if it is at all.
    ASSAY_ASSIGN_OR_RETURN(blobs_, context_.blobs.List());
  }
  if (blobs_sent_ == blobs_.size()) return absl::optional<v1::BackUpResponse>();
  v1::BackUpResponse message;
  const size_t end = std::min(blobs_.size(), blobs_sent_ + kBlobsInMessage);
  for (; blobs_sent_ < end; ++blobs_sent_) {
    v1::BackUpResponse::Blob* blob = message.mutable_blobs()->add_blobs();
    blob->set_sha256(blobs_[blobs_sent_].sha256);
    blob->set_size_bytes(blobs_[blobs_sent_].size_bytes);
  }
  return absl::make_optional(std::move(message));
}

absl::StatusOr<v1::BackUpResponse> BackUpCall::Begin() {
  if (context_.is_under_way.exchange(true)) {
    return absl::ResourceExhaustedError(
        "a backup is under way; try again when it has ended");
  }
  holds_the_place_ = true;
  LogInfo("backup started");
  ASSAY_ASSIGN_OR_RETURN(database_, MakeSnapshot(context_.store_path));
  struct stat status;
  if (fstat(database_.get(), &status) != 0) return PosixError("snapshot");
  v1::BackUpResponse message;
  v1::BackUpResponse::Header& header = *message.mutable_header();
  header.set_database_bytes(status.st_size);
  header.set_store_version(context_.info.store_version());
  header.set_version(context_.info.version());
  return message;
}

absl::StatusOr<absl::optional<v1::BackUpResponse>> BackUpCall::NextChunk() {
  std::string chunk(kChunkBytes, '\0');
  ssize_t got;
  do {
    got = read(database_.get(), chunk.data(), chunk.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) return PosixError("reading the snapshot");
  if (got == 0) return absl::optional<v1::BackUpResponse>();
  chunk.resize(static_cast<size_t>(got));
  v1::BackUpResponse message;
  message.set_database(std::move(chunk));
  return absl::make_optional(std::move(message));
}

void BackUpCall::OnWriteDone(bool ok) {
  sender_.OnWriteDone(ok);
  if (ok) PostNext();
}

void BackUpCall::OnDone() {
  context_.open_calls.Remove(this);
  // A step on a file thread may still hold it.
  const std::shared_ptr<BackUpCall> last = std::move(self_);
}

}  // namespace assay
