// Keeps a second coordinator away from a store.

#ifndef ASSAY_SERVER_STORE_STORE_LOCK_H_
#define ASSAY_SERVER_STORE_STORE_LOCK_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/fd.h"

namespace assay {

// Holds an advisory lock on `<store>.lock` until destroyed or the process ends.
// The file stays: removing it would let two processes lock two files.
class StoreLock {
 public:
  // The path has no links (store_path.h): one store, one lock.
  // FAILED_PRECONDITION when another process holds it, naming its pid.
  static absl::StatusOr<std::unique_ptr<StoreLock>> Acquire(
      const std::string& store_path);

 private:
  explicit StoreLock(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_STORE_LOCK_H_
