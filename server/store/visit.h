// One unit of work on a store from outside of the coordinator that serves it,
// which may be running.

#ifndef ASSAY_SERVER_STORE_VISIT_H_
#define ASSAY_SERVER_STORE_VISIT_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "base/clock.h"
#include "server/store/session.h"

namespace assay {

// Runs `work` in a transaction of its own and returns what it returns. Without
// a running coordinator the store is created, or brought up to this program's
// schema, first; beside one it is left as it is. Nobody is told of Effects.
// FAILED_PRECONDITION when the store cannot be used, or belongs to a running
// coordinator of another version.
absl::Status VisitStore(const std::string& path, Clock& clock,
                        const std::function<absl::Status(Session&)>& work);

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_VISIT_H_
