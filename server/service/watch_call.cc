#include "server/service/watch_call.h"

#include "base/grpc_status.h"

namespace assay {

WatchCall* WatchCall::Start(const absl::Status& valid,
                            const std::vector<std::string>& ids, Store& store,
                            EventHub& hub, const Presence& presence,
                            OpenCalls& open_calls,
                            const std::string& token_id) {
  std::shared_ptr<WatchCall> call(new WatchCall(open_calls));
  call->self_ = call;
  if (!valid.ok()) {
    call->Stop(valid);
    return call.get();
  }
  call->watch_ = Watch::Create(ids, store, hub, presence,
                               [weak = std::weak_ptr<WatchCall>(call)] {
                                 if (auto alive = weak.lock()) alive->Pump();
                               });
  open_calls.Add(call, token_id);
  call->Pump();
  return call.get();
}

void WatchCall::Pump() {
  while (true) {
    absl::optional<absl::Status> end;
    {
      absl::MutexLock lock(&mutex_);
      if (busy_) {
        again_ = true;
        return;
      }
      busy_ = true;
      again_ = false;
      end = stop_;
    }
    Watch::Next next;
    if (!end.has_value()) next = watch_->Take();
    if (next.kind == Watch::Next::kEnd) end = next.status;
    // Stays busy: nothing follows Finish, and OnWriteDone follows a write.
    if (end.has_value()) return Finish(ToGrpcStatus(*end));
    if (next.kind == Watch::Next::kEvent) {
      current_ = std::move(next.event);
      return StartWrite(&current_);
    }
    absl::MutexLock lock(&mutex_);
    busy_ = false;
    if (!again_) return;
  }
}

void WatchCall::OnWriteDone(bool ok) {
  {
    absl::MutexLock lock(&mutex_);
    busy_ = false;
    if (!ok && !stop_.has_value()) stop_ = absl::CancelledError("cancelled");
  }
  Pump();
}

void WatchCall::OnCancel() { Stop(absl::CancelledError("cancelled")); }

void WatchCall::Stop(const absl::Status& status) {
  {
    absl::MutexLock lock(&mutex_);
    if (!stop_.has_value()) stop_ = status;
  }
  Pump();
}

void WatchCall::OnDone() {
  open_calls_.Remove(this);
  // Callbacks may still hold it.
  const std::shared_ptr<WatchCall> last = std::move(self_);
}

}  // namespace assay
