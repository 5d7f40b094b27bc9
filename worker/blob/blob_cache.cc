#include "worker/blob/blob_cache.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/grpc_status.h"
#include "base/posix.h"
#include "base/random_id.h"
#include "base/sha256.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// A blob that takes longer than this is not coming.
constexpr std::chrono::minutes kDownloadDeadline(30);

bool IsSha256(const std::string& text) {
  return text.size() == 64 &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

absl::StatusOr<std::string> BlobCache::Fetch(
    const v1::SafetensorsInput& input) {
  // The digest becomes a file name: nothing else may pass.
  if (!IsSha256(input.sha256())) {
    return absl::NotFoundError(
        absl::StrCat("file \"", input.path(),
                     "\" was never uploaded; import the trace set "
                     "that has it"));
  }
  const std::string path = absl::StrCat(folder_, "/", input.sha256());
  if (access(path.c_str(), R_OK) == 0) return path;
  ASSAY_RETURN_IF_ERROR(CreateDirectories(folder_));
  const std::string partial = absl::StrCat(path, RandomId(".part-"));
  absl::Status status = Download(input, partial);
  if (status.ok() && std::rename(partial.c_str(), path.c_str()) != 0) {
    status = PosixError(absl::StrCat("renaming to ", path));
  }
  if (!status.ok()) {
    std::remove(partial.c_str());
    return Annotate(status, absl::StrCat("fetching \"", input.path(), "\""));
  }
  return path;
}

absl::Status BlobCache::Download(const v1::SafetensorsInput& input,
                                 const std::string& path) {
  v1::GetBlobRequest request;
  request.set_sha256(input.sha256());
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kDownloadDeadline);
  const std::unique_ptr<grpc::ClientReaderInterface<v1::GetBlobResponse>>
      reader = stub_.GetBlob(&context, request);
  std::ofstream file(path, std::ios::binary);
  Sha256 hash;
  v1::GetBlobResponse chunk;
  while (reader->Read(&chunk)) {
    hash.Update(chunk.data());
    file << chunk.data();
  }
  ASSAY_RETURN_IF_ERROR(FromGrpcStatus(reader->Finish()));
  file.close();
  if (!file) {
    return absl::UnavailableError(
        absl::StrCat("cannot write ", path, "; is the disk full?"));
  }
  if (hash.HexDigest() != input.sha256()) {
    return absl::DataLossError("the content does not have its SHA-256");
  }
  return absl::OkStatus();
}

}  // namespace assay
