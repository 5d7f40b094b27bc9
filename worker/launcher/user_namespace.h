// A user namespace with a second user in it.

#ifndef ASSAY_WORKER_LAUNCHER_USER_NAMESPACE_H_
#define ASSAY_WORKER_LAUNCHER_USER_NAMESPACE_H_

#include <sys/types.h>

#include "absl/status/statusor.h"
#include "base/fd.h"

namespace assay {

// A descriptor of a new user namespace in which root is root outside, and user
// and group `id` are those outside. Takes root. Only for a single-threaded
// process.
absl::StatusOr<UniqueFd> MakeUserNamespace(uid_t id);

}  // namespace assay

#endif  // ASSAY_WORKER_LAUNCHER_USER_NAMESPACE_H_
