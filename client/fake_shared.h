// What the services of the fake coordinator have in common.

#ifndef ASSAY_CLIENT_FAKE_SHARED_H_
#define ASSAY_CLIENT_FAKE_SHARED_H_

#include <google/protobuf/repeated_ptr_field.h>
#include <grpcpp/impl/service_type.h>
#include <grpcpp/support/status.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "base/grpc_status.h"
#include "client/fake_coordinator.h"

namespace assay {

// The state, with its lock.
struct FakeShared {
  absl::Mutex mutex;
  FakeCoordinator::State state ABSL_GUARDED_BY(mutex);

  // Counts a call and returns the error planned for it.
  grpc::Status Enter(const std::string& call)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    ++state.calls[call];
    auto& errors = state.errors[call];
    if (errors.empty()) return grpc::Status::OK;
    const absl::Status error = errors.front();
    errors.pop_front();
    return ToGrpcStatus(error);
  }
};

// Takes the lock and counts the call, or returns the error planned for it.
// Declares `state`.
#define ASSAY_FAKE_ENTER(call)                                    \
  absl::MutexLock lock(&shared_.mutex);                           \
  if (grpc::Status planned = shared_.Enter(#call); !planned.ok()) \
    return planned;                                               \
  FakeCoordinator::State& state = shared_.state

inline grpc::Status NotFound(absl::string_view what, absl::string_view name) {
  return {grpc::StatusCode::NOT_FOUND,
          absl::StrCat("no ", what, " \"", name, "\"")};
}

// Copies one page of the items that `keep` accepts; the token is an index.
template <typename Item, typename Request, typename Keep>
std::string FillPage(const std::vector<Item>& all, const Request& request,
                     const Keep& keep,
                     google::protobuf::RepeatedPtrField<Item>* out) {
  size_t index = 0;
  if (!request.page_token().empty() &&
      !absl::SimpleAtoi(request.page_token(), &index)) {
    return "";
  }
  const int page_size = request.page_size() == 0 ? 50 : request.page_size();
  for (; index < all.size(); ++index) {
    if (!keep(all[index])) continue;
    if (out->size() == page_size) return absl::StrCat(index);
    *out->Add() = all[index];
  }
  return "";
}

inline bool Accepts(const std::string& filter, const std::string& value) {
  return filter.empty() || filter == value;
}

// Admin, blob and catalog service; then evaluation, leaderboard and worker
// service. `shared` outlives them.
std::vector<std::unique_ptr<grpc::Service>> MakeFakeCatalogServices(
    FakeShared& shared);
std::vector<std::unique_ptr<grpc::Service>> MakeFakeEvaluationServices(
    FakeShared& shared);

}  // namespace assay

#endif  // ASSAY_CLIENT_FAKE_SHARED_H_
