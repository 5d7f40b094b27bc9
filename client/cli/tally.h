// Keeps count over the events of a watch.

#ifndef ASSAY_CLIENT_CLI_TALLY_H_
#define ASSAY_CLIENT_CLI_TALLY_H_

#include <cstdint>
#include <set>
#include <string>

#include "assay/v1/evaluation_service.pb.h"
#include "client/cli/exit_code.h"

namespace assay {

// Thread-compatible.
class Tally {
 public:
  // Each outcome once, as WatchSubmissions gives them.
  void Add(const v1::SubmissionEvent& event);

  const OutcomeCounts& outcomes() const { return outcomes_; }
  // Jobs of the submissions seen so far.
  int64_t total() const { return total_; }
  int64_t ended() const { return outcomes_.total(); }
  // Traces that wait for a review.
  int64_t held() const { return held_; }
  int64_t running() const { return static_cast<int64_t>(running_.size()); }

  // "40 evaluations: 36 passed, 2 incorrect numerical, 2 timeouts; 1 job
  // without a verdict; 3 jobs cancelled; 1 held for review".
  std::string Summary() const;

 private:
  OutcomeCounts outcomes_;
  int64_t total_ = 0;
  int64_t held_ = 0;
  std::set<std::string> running_;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_TALLY_H_
