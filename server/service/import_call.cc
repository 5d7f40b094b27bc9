#include "server/service/import_call.h"

#include <utility>

#include "absl/types/optional.h"
#include "base/grpc_status.h"

namespace assay {
namespace {

constexpr int kMaxInFlight = 64;
constexpr size_t kMaxInFlightBytes = size_t{32} << 20;

}  // namespace

ImportCall* ImportCall::Start(Store& store, const BlobStore& blobs,
                              OpenCalls& open_calls,
                              v1::ImportTraceSetResponse* response,
                              const std::string& token_id) {
  std::shared_ptr<ImportCall> call(
      new ImportCall(store, blobs, open_calls, response));
  call->self_ = call;
  open_calls.Add(call, token_id);
  call->Advance();
  return call.get();
}

void ImportCall::OnReadDone(bool ok) {
  if (ok) Post(std::make_shared<v1::ImportTraceSetRequest>(incoming_));
  {
    // Only now: the next read may come in on another thread, and its item must
    // not overtake this one.
    absl::MutexLock lock(&mutex_);
    reading_ = false;
    if (!ok) complete_ = true;
  }
  Advance();
}

void ImportCall::Post(Item item) {
  {
    absl::MutexLock lock(&mutex_);
    ++in_flight_;
    in_flight_bytes_ += item->ByteSizeLong();
  }
  const absl::Status valid = CheckImportItem(*item);
  if (!valid.ok()) return OnStored(item, valid);
  store_.Write<Imported>(
      [this, item](Session& session) {
        return ImportItem(session, *item, blobs_);
      },
      [self = shared_from_this(), item](absl::StatusOr<Imported> outcome) {
        self->OnStored(item, outcome);
      });
}

void ImportCall::OnStored(const Item& item,
                          const absl::StatusOr<Imported>& outcome) {
  {
    absl::MutexLock lock(&mutex_);
    --in_flight_;
    in_flight_bytes_ -= item->ByteSizeLong();
    if (outcome.ok() || IsAboutItem(outcome.status())) {
      Count(*item, outcome, *response_);
    } else if (error_.ok()) {
      error_ = outcome.status();
    }
  }
  Advance();
}

void ImportCall::Advance() {
  absl::optional<absl::Status> result;
  {
    absl::MutexLock lock(&mutex_);
    if (finished_) return;
    const bool over = complete_ || !error_.ok();
    if (!over && !reading_ && in_flight_ < kMaxInFlight &&
        in_flight_bytes_ < kMaxInFlightBytes) {
      reading_ = true;
      // Under the lock: nothing may be started after Finish. gRPC never calls
      // back from within.
      StartRead(&incoming_);
    } else if (over && in_flight_ == 0) {
      finished_ = true;
      result = error_;
    }
  }
  if (result.has_value()) Finish(ToGrpcStatus(*result));
}

void ImportCall::OnCancel() { Stop(absl::CancelledError("cancelled")); }

void ImportCall::Stop(const absl::Status& status) {
  {
    absl::MutexLock lock(&mutex_);
    if (error_.ok()) error_ = status;
  }
  Advance();
}

void ImportCall::OnDone() {
  open_calls_.Remove(this);
  // Callbacks of the store may still hold it.
  const std::shared_ptr<ImportCall> last = std::move(self_);
}

}  // namespace assay
