// What a trace set's results come to as a whole, and by author.

#ifndef ASSAY_CLIENT_REPORT_FOLDER_SUMMARY_H_
#define ASSAY_CLIENT_REPORT_FOLDER_SUMMARY_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assay/v1/leaderboard_service.pb.h"
#include "schema/trace_set.h"

namespace assay {

// One author on one hardware model. A cell is a solution on a workload, by its
// latest result.
struct AuthorScore {
  std::string hardware;
  // Empty: of solutions that are not in the folder.
  std::string author;
  // Geometric mean of the speed-ups of cells that passed; 0 when none has one.
  double speedup_geomean = 0;
  int64_t cells = 0;
  int64_t cells_passed = 0;
  // Workloads with a result that passed, and those among them on which no other
  // author's was faster.
  int64_t workloads_passed = 0;
  int64_t workloads_won = 0;
};

struct FolderSummary {
  int64_t traces = 0;
  std::map<v1::EvaluationStatus, int64_t> by_status;
  // By hardware, then the best speed-up first.
  std::vector<AuthorScore> authors;
};

// `boards` are FolderBoards of the set.
FolderSummary SummarizeFolder(const TraceSet& set,
                              const std::vector<v1::Leaderboard>& boards);

}  // namespace assay

#endif  // ASSAY_CLIENT_REPORT_FOLDER_SUMMARY_H_
