// What ranking needs of one trace.

#ifndef ASSAY_RANKING_TRACE_SUMMARY_H_
#define ASSAY_RANKING_TRACE_SUMMARY_H_

#include <cstdint>
#include <string>

#include "assay/v1/evaluation.pb.h"

namespace assay {

struct TraceSummary {
  // Grows with every trace: the later one counts.
  int64_t seq = 0;
  std::string id;
  std::string solution;
  std::string solution_digest;
  std::string author;
  std::string workload_uuid;
  std::string worker;
  v1::EvaluationStatus status = v1::EVALUATION_STATUS_UNSPECIFIED;
  v1::Timer timer = v1::TIMER_UNSPECIFIED;
  double latency_ms = 0;
  double speedup_factor = 0;
  bool unstable = false;
  v1::Review::State review_state = v1::Review::STATE_UNSPECIFIED;
};

}  // namespace assay

#endif  // ASSAY_RANKING_TRACE_SUMMARY_H_
