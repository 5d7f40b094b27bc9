// Submits and cancels whatever happens to the coordinator, and notes what was
// answered.
//
//   submitted <submission> <request> <jobs>   the submission is stored
//   cancelled <submission>                    a cancel of it was answered

#ifndef ASSAY_TESTS_CHAOS_CHAOS_SUBMITTER_H_
#define ASSAY_TESTS_CHAOS_CHAOS_SUBMITTER_H_

#include <memory>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "assay/v1/catalog_service.grpc.pb.h"
#include "assay/v1/evaluation_service.grpc.pb.h"
#include "tests/chaos/event_log.h"

namespace assay::chaos {

class ChaosSubmitter {
 public:
  struct Options {
    std::string server;
    // Pause between submissions, at most.
    absl::Duration pause = absl::Milliseconds(50);
    absl::Duration patience = absl::Seconds(2);
    EventLog* log = nullptr;
  };

  explicit ChaosSubmitter(Options options);

  // Creates what is submitted.
  absl::Status CreateCatalog();
  // Until the process is killed, or a call is refused for good.
  absl::Status Run();
  // Until no submission has jobs that have not ended. DEADLINE_EXCEEDED with
  // the submissions that have, when it takes longer than `limit`.
  absl::Status AwaitEnd(absl::Duration limit);

 private:
  absl::Status SubmitOne();
  absl::Status Cancel(const std::string& submission_id);

  const Options options_;
  const std::unique_ptr<v1::CatalogService::Stub> catalog_;
  const std::unique_ptr<v1::EvaluationService::Stub> evaluation_;
  std::mt19937_64 random_;
};

}  // namespace assay::chaos

#endif  // ASSAY_TESTS_CHAOS_CHAOS_SUBMITTER_H_
