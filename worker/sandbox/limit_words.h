// How a limit that was exceeded is called, whoever saw it: what follows "it was
// stopped because it".

#ifndef ASSAY_WORKER_SANDBOX_LIMIT_WORDS_H_
#define ASSAY_WORKER_SANDBOX_LIMIT_WORDS_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"

namespace assay {

inline std::string MemoryLimitHit(int64_t bytes) {
  return absl::StrCat("used more than ", bytes >> 20,
                      " MiB of memory, which is the limit");
}

inline std::string ProcessLimitHit(int processes) {
  return absl::StrCat("had more than ", processes,
                      " processes and threads at a time, which is the limit");
}

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_LIMIT_WORDS_H_
