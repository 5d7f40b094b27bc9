// Tensor files of workloads, fetched from the coordinator once and kept.

#ifndef ASSAY_WORKER_BLOB_BLOB_CACHE_H_
#define ASSAY_WORKER_BLOB_BLOB_CACHE_H_

#include <string>

#include "absl/status/statusor.h"
#include "assay/v1/blob_service.grpc.pb.h"
#include "worker/evaluate/case_inputs.h"

namespace assay {

// Thread-safe.
class BlobCache final : public BlobSource {
 public:
  // Keeps the files in `folder`, named by their SHA-256. The stub outlives the
  // cache.
  BlobCache(v1::BlobService::StubInterface& stub, std::string folder)
      : stub_(stub), folder_(std::move(folder)) {}

  // A file is checked against its digest before it gets its name, so a file
  // that has its name is whole.
  absl::StatusOr<std::string> Fetch(const v1::SafetensorsInput& input) override;

 private:
  // Writes the blob to `path`.
  absl::Status Download(const v1::SafetensorsInput& input,
                        const std::string& path);

  v1::BlobService::StubInterface& stub_;
  const std::string folder_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_BLOB_BLOB_CACHE_H_
