#include "client/cancellation.h"

#include <grpcpp/client_context.h>

namespace assay {

void Cancellation::Cancel() {
  absl::MutexLock lock(&mutex_);
  cancelled_ = true;
  // TryCancel never calls back into this object, and a context leaves the set
  // before it is destroyed.
  for (grpc::ClientContext* context : contexts_) context->TryCancel();
}

void Cancellation::Reset() {
  absl::MutexLock lock(&mutex_);
  cancelled_ = false;
}

bool Cancellation::cancelled() const {
  absl::MutexLock lock(&mutex_);
  return cancelled_;
}

bool Cancellation::Sleep(absl::Duration duration) const {
  absl::MutexLock lock(&mutex_);
  return !mutex_.AwaitWithTimeout(absl::Condition(&cancelled_), duration);
}

Cancellation::Scope::Scope(Cancellation* cancellation,
                           grpc::ClientContext& context)
    : cancellation_(cancellation), context_(context) {
  if (cancellation_ == nullptr) return;
  absl::MutexLock lock(&cancellation_->mutex_);
  cancellation_->contexts_.insert(&context_);
  // gRPC remembers a cancellation that comes before the call starts.
  if (cancellation_->cancelled_) context_.TryCancel();
}

Cancellation::Scope::~Scope() {
  if (cancellation_ == nullptr) return;
  absl::MutexLock lock(&cancellation_->mutex_);
  cancellation_->contexts_.erase(&context_);
}

}  // namespace assay
