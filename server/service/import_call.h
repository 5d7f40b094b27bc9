// One call of CatalogService.ImportTraceSet.

#ifndef ASSAY_SERVER_SERVICE_IMPORT_CALL_H_
#define ASSAY_SERVER_SERVICE_IMPORT_CALL_H_

#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "assay/v1/catalog_service.pb.h"
#include "server/blob/blob_store.h"
#include "server/catalog/import.h"
#include "server/rpc/open_calls.h"
#include "server/store/store.h"

namespace assay {

// Items are stored in the order in which they come, some of them in flight at
// once so that they share commits. Lives until gRPC is done with it.
class ImportCall final
    : public grpc::ServerReadReactor<v1::ImportTraceSetRequest>,
      public OpenCalls::Call,
      public std::enable_shared_from_this<ImportCall> {
 public:
  static ImportCall* Start(Store& store, const BlobStore& blobs,
                           OpenCalls& open_calls,
                           v1::ImportTraceSetResponse* response,
                           const std::string& token_id);

  void OnReadDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void Stop(const absl::Status& status) override;

 private:
  using Item = std::shared_ptr<v1::ImportTraceSetRequest>;

  ImportCall(Store& store, const BlobStore& blobs, OpenCalls& open_calls,
             v1::ImportTraceSetResponse* response)
      : store_(store),
        blobs_(blobs),
        open_calls_(open_calls),
        response_(response) {}
  void Post(Item item);
  void OnStored(const Item& item, const absl::StatusOr<Imported>& outcome);
  // Reads on, or finishes, when it is time to.
  void Advance();

  Store& store_;
  const BlobStore& blobs_;
  OpenCalls& open_calls_;
  // Belongs to gRPC while a read is under way.
  v1::ImportTraceSetRequest incoming_;

  absl::Mutex mutex_;
  v1::ImportTraceSetResponse* const response_ ABSL_PT_GUARDED_BY(mutex_);
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  // The client has sent all.
  bool complete_ ABSL_GUARDED_BY(mutex_) = false;
  int in_flight_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t in_flight_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  // Why the import ends early.
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<ImportCall> self_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_IMPORT_CALL_H_
