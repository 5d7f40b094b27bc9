// What a process was told, in a file of its own that outlives kill -9: the
// evidence that the store is held against.
//
//   log.Add({"acknowledged", job_id, mark});

#ifndef ASSAY_TESTS_CHAOS_EVENT_LOG_H_
#define ASSAY_TESTS_CHAOS_EVENT_LOG_H_

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/fd.h"

namespace assay::chaos {

// Thread-safe.
class EventLog {
 public:
  // Appends to the file, which is created when it is missing.
  static absl::StatusOr<std::unique_ptr<EventLog>> Open(
      const std::string& path);

  // One line, the words joined by tabs, with one call of write: when it
  // returns, the kernel has it, whatever becomes of the process.
  void Add(std::initializer_list<absl::string_view> words);

 private:
  explicit EventLog(UniqueFd fd) : fd_(std::move(fd)) {}

  const UniqueFd fd_;
};

}  // namespace assay::chaos

#endif  // ASSAY_TESTS_CHAOS_EVENT_LOG_H_
