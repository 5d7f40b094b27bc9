#include "worker/evaluate/source_bundle.h"

#include <string>

#include "base/status_macros.h"

namespace assay {

absl::StatusOr<SharedBytes> ShareBundle(const worker::SourceBundle& bundle) {
  const std::string bytes = bundle.SerializeAsString();
  SharedBytes shared;
  shared.size_bytes = static_cast<int64_t>(bytes.size());
  ASSAY_ASSIGN_OR_RETURN(shared.fd, CreateMemFd("assay-sources", bytes.size()));
  ASSAY_ASSIGN_OR_RETURN(
      const Mapping mapping,
      Mapping::Map(shared.fd.get(), bytes.size(), /*writable=*/true));
  bytes.copy(mapping.data(), bytes.size());
  return shared;
}

}  // namespace assay
