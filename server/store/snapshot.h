// A copy of a store at one moment, made while others read and write it.

#ifndef ASSAY_SERVER_STORE_SNAPSHOT_H_
#define ASSAY_SERVER_STORE_SNAPSHOT_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/fd.h"

namespace assay {

// The open copy, one SQLite file; it has no name any more and goes with its
// descriptor. It is made beside the store, under a name that a second one at
// the same time would take from it: make one at a time. RESOURCE_EXHAUSTED when
// there is no room.
absl::StatusOr<UniqueFd> MakeSnapshot(const std::string& store_path);

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_SNAPSHOT_H_
